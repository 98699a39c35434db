// The pages of the dashboard in Chromium.
import { journey } from './journey.js';

journey('chromium');
