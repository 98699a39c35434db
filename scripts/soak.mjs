// `npm run soak -- [MODE] [OPTIONS]`: runs a built server under load and prints the result as JSON. The same seed sends the
// same requests.
//   --renders 20000     mixed renders, some invalid, some cancelled by the client (the default mode)
//   --kill              the same for --seconds, with a render process killed each second
//   --overload          ten times the server's capacity for --seconds
//   --resets 1000       clients that reset their connections
//   --idle 2000         idle connections beside clients that render
//   --neighbour         a card a second for --seconds, alone and beside a workspace that sends 50 dear requests at once
//   --sign-ins          renders for --seconds, half of the time beside 20 sign-ins a second that fail
// and: --seed 1, --seconds 60, --workers 2, --memory 1024 (RENDER_MEMORY_MB), --dist dist, --store-url postgres://…
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endurance } from './soak/endurance.mjs';
import { random } from './soak/figures.mjs';
import { idle } from './soak/idle.mjs';
import { neighbour } from './soak/neighbour.mjs';
import { startOrigin } from './soak/origin.mjs';
import { overload } from './soak/overload.mjs';
import { resets } from './soak/resets.mjs';
import { startServer } from './soak/server.mjs';
import { signIns } from './soak/sign-ins.mjs';

const { values } = parseArgs({
  options: {
    renders: { type: 'string', default: '20000' },
    kill: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
    resets: { type: 'string' },
    idle: { type: 'string' },
    neighbour: { type: 'boolean', default: false },
    'sign-ins': { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    memory: { type: 'string', default: '1024' },
    dist: { type: 'string', default: 'dist' },
    'store-url': { type: 'string' },
  },
});
const [seed, seconds, renders] = [values.seed, values.seconds, values.renders].map(Number);

/** Returns a function that kills one of the given processes. */
function createKiller(next) {
  return (pids) => {
    const pid = pids[Math.floor(next() * pids.length)];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  };
}

const origin = await startOrigin();
const settings = {
  RENDER_WORKERS: values.workers,
  RENDER_MEMORY_MB: values.memory,
  ASSET_ALLOW_HOSTS: origin.host,
  ...(values.neighbour && { RENDER_CACHE_MB: '0' }),
  ...(values['store-url'] !== undefined && { STORE_URL: values['store-url'] }),
};
const server = await startServer(resolve(values.dist), settings);
const load = { server, host: origin.host, seed };
try {
  const report = values.overload
    ? await overload({ ...load, seconds })
    : values.resets !== undefined
      ? await resets({ ...load, count: Number(values.resets) })
      : values.idle !== undefined
        ? await idle({ ...load, count: Number(values.idle), seconds })
        : values.neighbour
          ? await neighbour({ ...load, seconds })
          : values['sign-ins']
            ? await signIns({ ...load, seconds })
            : values.kill
              ? await endurance({
                  ...load,
                  renders: Number.POSITIVE_INFINITY,
                  seconds,
                  onSecond: createKiller(random(seed + 1)),
                })
              : await endurance({ ...load, renders });
  console.log(JSON.stringify({ seed, ...settings, ...report, errors: server.errors.slice(-5) }, undefined, 2));
} finally {
  console.error(`the server ended with ${await server.stop()}`);
  origin.close();
}
