// The pages of the dashboard in Firefox.
import { journey } from './journey.js';

journey('firefox');
