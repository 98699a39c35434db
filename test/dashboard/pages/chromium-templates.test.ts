// The page Templates in Chromium.
import { templates } from './templates.js';

templates('chromium');
