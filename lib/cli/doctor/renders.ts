// Whether renders work: one in this process, and a render process that starts.
import type { Payload } from '../../contract/payload.js';
import { UNBOUNDED_WORKERS } from '../worker.js';
import { failure, finding, type HostFinding, reasonOf } from './finding.js';

/** Text in a WOFF2 font, a shape and a QR code. */
const PAYLOAD: Payload = {
  canvas: { width: 400, height: 200, backgroundColor: 'white' },
  layers: [
    { type: 'shape', shapeType: 'circle', x: 20, y: 20, width: 160, height: 160, fillColor: 'navy' },
    { type: 'text', text: 'Platen', fontFamily: 'Lato', fontSize: 48, x: 200, y: 20, width: 180, height: 60 },
    { type: 'qrcode', data: 'Platen', x: 220, y: 80, width: 100, height: 100 },
  ],
};

export async function checkRender(): Promise<HostFinding> {
  try {
    const { render } = await import('../../index.js');
    const { width, height, durationMs } = await render(PAYLOAD);
    return finding('render', `a PNG of ${width} × ${height} pixels in ${Math.round(durationMs)} ms`);
  } catch (error) {
    return failure('render', reasonOf(error), 'nothing can be rendered');
  }
}

export async function checkProcesses(): Promise<HostFinding> {
  const lines: string[] = [];
  try {
    const { WorkerProcess } = await import('../../workers/worker-process.js');
    const worker = new WorkerProcess({ report: (line) => lines.push(line) }, () => {});
    try {
      await worker.ready;
      return finding('processes', 'render processes start', UNBOUNDED_WORKERS);
    } finally {
      worker.kill();
      await worker.ended;
    }
  } catch (error) {
    const effect = 'platen batch and the workers of the library fail; platen serve needs RENDER_WORKERS=0';
    // A process that crashes may print a stack around the reason.
    const said = lines.flatMap((line) => line.split('\n'));
    return finding('processes', said.find((line) => /error|failed/i.test(line)) ?? reasonOf(error), effect);
  }
}
