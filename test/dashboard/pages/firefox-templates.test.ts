// The page Templates in Firefox.
import { templates } from './templates.js';

templates('firefox');
