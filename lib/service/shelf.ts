// Where fetched assets lie until their render is done: so many bytes in all, whoever fetched them.
import { RenderError } from '../errors.js';

/** One render's part of a shelf. */
export interface Space {
  /** Takes room for a file. Throws RenderError: `asset_failed` when this render asks for too much, else `overloaded`. */
  readonly keep: (bytes: number) => void;
  /** Gives all of the room back, at the end; what arrives later is not kept. */
  readonly clear: () => void;
}

export class Shelf {
  private taken = 0;

  constructor(private readonly bytes: number) {}

  space(): Space {
    let own = 0;
    let open = true;
    return {
      keep: (bytes) => {
        if (!open) return;
        if (own + bytes > this.bytes) {
          throw new RenderError('asset_failed', `the assets of this render are larger than ${this.bytes} bytes in all`);
        }
        if (this.taken + bytes > this.bytes) {
          throw new RenderError('overloaded', 'too many assets are being rendered; try again in a moment');
        }
        own += bytes;
        this.taken += bytes;
      },
      clear: () => {
        this.taken -= own;
        own = 0;
        open = false;
      },
    };
  }
}
