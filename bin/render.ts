#!/usr/bin/env node
// Starts the program. Newer versions of Node keep its compiled code between runs.
import * as nodeModule from 'node:module';

const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void };
enableCompileCache?.();
await import('./program.js');
