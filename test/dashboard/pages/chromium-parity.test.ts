// The engine of the pages in Chromium.
import { parity } from './parity.js';

parity('chromium');
