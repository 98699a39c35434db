// The engine of the pages in Firefox.
import { parity } from './parity.js';

parity('firefox');
