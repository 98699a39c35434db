// Servers on Node, with nothing between them and the package.

import { checkServer } from '../pictures.js';
import { serve } from '../processes.js';
import { makeApp } from '../setup.js';
import type { Trial } from '../trial.js';

const nodeServer = (name: string): Trial => ({
  name,
  about: `a route of ${name}`,
  isQuick: true,
  async run(workspace) {
    const cwd = await makeApp(workspace, name);
    await using server = await serve('npm', ['start'], { cwd });
    await checkServer(server);
    return undefined;
  },
});

export const nodeServers: readonly Trial[] = ['express', 'fastify', 'hono'].map(nodeServer);
