// Servers on Node, Deno and Bun, with nothing between them and the package.

import { checkServer } from '../pictures.js';
import { serve } from '../processes.js';
import { makeApp } from '../setup.js';
import type { Trial } from '../trial.js';

const server = (name: string, about: string, isQuick: boolean): Trial => ({
  name,
  about,
  isQuick,
  async run(workspace) {
    const cwd = await makeApp(workspace, name);
    await using started = await serve('npm', ['start'], { cwd });
    await checkServer(started);
    return undefined;
  },
});

export const servers: readonly Trial[] = [
  ...['express', 'fastify', 'hono'].map((name) => server(name, `a route of ${name}`, true)),
  server('deno', 'Deno.serve', false),
  server('bun', 'Bun.serve', false),
];
