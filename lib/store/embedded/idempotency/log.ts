// The idempotency keys that were settled in the last 24 hours: records in append-only segment files, one segment for each
// hour. Records are written and fsynced before workspaces.json, whose header lists how many bytes of each segment are
// committed. So a charge and its record are committed by the same rename; bytes and files that are not listed are ignored.
// A million records (bench/idempotency.mjs): 128 MB in files, 18 MiB in memory, opened in 0.5 s without blocking for 15 ms.
import type { promises } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../../errors.js';
import type { SettledRequest } from '../../types.js';
import { type FileSystem, syncFolder } from '../durable-file.js';
import { decodeRecord, type IdempotencyRecord, isIntact, RECORD_BYTES, timeAt } from './record.js';
import { SegmentIndex } from './segment-index.js';

/** Milliseconds for which a key is kept. */
export const KEPT_MS = 24 * 3_600_000;
/** Milliseconds for which records go to the same segment. */
const SEGMENT_MS = 3_600_000;
/** Bytes that are read at once when a segment is opened; a multiple of a record. */
const CHUNK_BYTES = 2 ** 20;
const FILE_NAME = /^idempotency-(\d{6,15})\.bin$/;

/** A segment in the header of workspaces.json. */
export interface CommittedSegment {
  readonly segment: number;
  readonly bytes: number;
}

interface Segment {
  readonly number: number;
  /** Committed bytes. */
  bytes: number;
  /** Time of the first record. */
  readonly startedAt: number;
  /** Time of the latest record. */
  newestAt: number;
  readonly index: SegmentIndex;
}

export interface IdempotencyLogOptions {
  readonly files: FileSystem;
  readonly folder: string;
  /** The time by which records expire, which never goes back. */
  readonly now: () => Date;
  readonly warn: (message: string) => void;
}

/** Records that are on the disk and not yet committed. */
export interface PreparedRecords {
  /** The committed segments of the header that commits the records. */
  readonly segments: readonly CommittedSegment[];
  /** Makes the records visible. Called when that header is durable; never called when its write failed. */
  commit(): void;
}

export class IdempotencyLog {
  readonly #options: IdempotencyLogOptions;
  /** Oldest first. */
  #segments: Segment[] = [];
  /** The segment that takes the next records. Undefined while its records are being written, and after a failure. */
  #current: Segment | undefined;
  /** The open file of the segment `number`. */
  #writer: { readonly number: number; readonly handle: promises.FileHandle } | undefined;
  #nextNumber = 1;
  /** Files that are not committed. They are removed after the next commit. */
  readonly #uncommitted = new Set<number>();
  #removal: Promise<unknown> = Promise.resolve();

  private constructor(options: IdempotencyLogOptions) {
    this.#options = options;
  }

  /**
   * Reads the segments that `committed`, from the header, lists, and removes all others. Damaged and missing records are
   * skipped with a warning. Throws the system's error.
   */
  static async open(committed: unknown, options: IdempotencyLogOptions): Promise<IdempotencyLog> {
    const log = new IdempotencyLog(options);
    await log.#load(committed);
    return log;
  }

  /** Number of records and bytes of memory of their index. */
  get size(): { readonly records: number; readonly indexBytes: number } {
    return {
      records: this.#segments.reduce((sum, { bytes }) => sum + bytes / RECORD_BYTES, 0),
      indexBytes: this.#segments.reduce((sum, { index }) => sum + index.bytes, 0),
    };
  }

  /** Time of the latest record; 0 if there is none. */
  get newestAt(): number {
    return Math.max(0, ...this.#segments.map(({ newestAt }) => newestAt));
  }

  /** Segments that may have the record of a key, newest first; empty for almost every key that was never settled. */
  candidates(digest: Buffer): readonly string[] {
    return this.#locate(digest).map(({ segment, number }) => `${segment.number}/${number}`);
  }

  /** The record of a key that was settled in the last 24 hours. Rejects with RenderError `storage_unavailable`. */
  async find(digest: Buffer): Promise<SettledRequest | undefined> {
    for (const { segment, number } of this.#locate(digest)) {
      const record = await this.#read(segment, number);
      if (!record?.digest.equals(digest) || this.#isExpired(record.time)) continue;
      const { digest: _digest, time: _time, ...settled } = record;
      return settled;
    }
    return undefined;
  }

  /** The records of the last 24 hours, oldest first. */
  async *records(): AsyncGenerator<IdempotencyRecord> {
    for (const segment of this.#segments) {
      for (let number = 0; number < segment.bytes / RECORD_BYTES; number++) {
        const record = await this.#read(segment, number);
        if (record && !this.#isExpired(record.time)) yield record;
      }
    }
  }

  /**
   * Makes encoded `records` durable, but not yet visible. Calls must not overlap. Throws the system's error. After a
   * failure of this or of the commit the segment is not written again: its pages may look clean after a failed fsync, and
   * a header that was not undone may list its new bytes.
   */
  async prepare(records: readonly Buffer[]): Promise<PreparedRecords> {
    const now = this.#options.now().getTime();
    const current = this.#current;
    this.#current = undefined;
    const isUsable = current !== undefined && now - current.startedAt < SEGMENT_MS;
    const segment = isUsable ? current : this.#create(now);
    const bytes = Buffer.concat(records);
    await this.#write(segment, bytes);
    const older = this.#segments.filter((each) => each !== segment);
    const unexpired = older.filter(({ newestAt }) => !this.#isExpired(newestAt));
    const expired = older.filter((each) => !unexpired.includes(each));
    const listed = unexpired.map((each) => ({ segment: each.number, bytes: each.bytes }));
    return {
      segments: [...listed, { segment: segment.number, bytes: segment.bytes + bytes.length }],
      commit: () => {
        for (let start = 0; start < bytes.length; start += RECORD_BYTES) {
          segment.index.add((segment.bytes + start) / RECORD_BYTES, bytes, start);
          segment.newestAt = Math.max(segment.newestAt, timeAt(bytes, start));
        }
        segment.bytes += bytes.length;
        this.#segments = [...unexpired, segment];
        this.#current = segment;
        this.#uncommitted.delete(segment.number);
        for (const { number } of expired) this.#uncommitted.add(number);
        this.#removeUncommitted();
      },
    };
  }

  async close(): Promise<void> {
    await this.#removal;
    await this.#closeWriter();
  }

  #pathOf(number: number): string {
    return join(this.#options.folder, fileOf(number));
  }

  #isExpired(time: number): boolean {
    return this.#options.now().getTime() - time >= KEPT_MS;
  }

  #locate(digest: Buffer): { readonly segment: Segment; readonly number: number }[] {
    return this.#segments
      .flatMap((segment) => segment.index.candidates(digest).map((number) => ({ segment, number })))
      .reverse();
  }

  #create(now: number): Segment {
    const number = this.#nextNumber++;
    this.#uncommitted.add(number);
    return { number, bytes: 0, startedAt: now, newestAt: now, index: new SegmentIndex() };
  }

  /** Writes `bytes` after the committed ones. */
  async #write(segment: Segment, bytes: Buffer): Promise<void> {
    const { files, folder } = this.#options;
    const isNew = segment.bytes === 0;
    if (this.#writer?.number !== segment.number) {
      await this.#closeWriter();
      const handle = await files.open(this.#pathOf(segment.number), isNew ? 'wx' : 'r+', 0o600);
      this.#writer = { number: segment.number, handle };
    }
    const { handle } = this.#writer;
    for (let start = 0; start < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, start, bytes.length - start, segment.bytes + start);
      start += bytesWritten;
    }
    await handle.sync();
    if (isNew) await syncFolder(files, folder);
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    // Everything that is committed was fsynced.
    await writer?.handle.close().catch(() => undefined);
  }

  /** Reads a record; undefined when it is damaged, or expired and removed. */
  async #read(segment: Segment, number: number): Promise<IdempotencyRecord | undefined> {
    const path = this.#pathOf(segment.number);
    try {
      const handle = await this.#options.files.open(path, 'r');
      try {
        const { buffer, bytesRead } = await handle.read(
          Buffer.alloc(RECORD_BYTES),
          0,
          RECORD_BYTES,
          number * RECORD_BYTES,
        );
        return bytesRead === RECORD_BYTES && isIntact(buffer, 0) ? decodeRecord(buffer) : undefined;
      } finally {
        await handle.close();
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      this.#options.warn(`${path} can't be read: ${(cause as Error).message}`);
      throw new ServiceError('storage_unavailable', 'storage is unavailable: the idempotency key can’t be looked up', {
        cause,
      });
    }
  }

  /** Removes files in the background; what remains is removed when the store is opened again. */
  #removeUncommitted(): void {
    if (this.#uncommitted.size === 0) return;
    const paths = Array.from(this.#uncommitted, (number) => this.#pathOf(number));
    this.#uncommitted.clear();
    const { files } = this.#options;
    const removals = paths.map((path) => files.rm(path, { force: true }).catch(() => undefined));
    this.#removal = Promise.all([this.#removal, ...removals]);
  }

  async #load(committed: unknown): Promise<void> {
    const { files, folder, warn } = this.#options;
    const listed = parseCommitted(committed);
    if (!listed) warn(`${folder}: workspaces.json does not list its idempotency records; none of them is used`);
    const names = await files.readdir(folder);
    const found = names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []).map(Number);
    for (const { segment: number, bytes } of listed ?? []) {
      const segment = await this.#loadSegment(number, bytes);
      this.#segments.push(segment);
      this.#current = segment.isWhole ? segment : undefined;
    }
    const numbers = this.#segments.map(({ number }) => number);
    this.#nextNumber = Math.max(0, ...found, ...numbers) + 1;
    if (!listed) return;
    for (const number of found) if (!numbers.includes(number)) this.#uncommitted.add(number);
    this.#removeUncommitted();
    await this.#removal;
  }

  async #loadSegment(number: number, bytes: number): Promise<Segment & { readonly isWhole: boolean }> {
    const { files, warn } = this.#options;
    const path = this.#pathOf(number);
    const index = new SegmentIndex();
    let [intact, startedAt, newestAt] = [0, 0, 0];
    try {
      const handle = await files.open(path, 'r');
      try {
        const chunk = Buffer.alloc(CHUNK_BYTES);
        for (let position = 0; position < bytes; ) {
          const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK_BYTES, bytes - position), position);
          const whole = bytesRead - (bytesRead % RECORD_BYTES);
          if (whole === 0) break;
          for (let start = 0; start < whole; start += RECORD_BYTES) {
            if (!isIntact(chunk, start)) continue;
            index.add((position + start) / RECORD_BYTES, chunk, start);
            const time = timeAt(chunk, start);
            if (intact++ === 0) startedAt = time;
            newestAt = Math.max(newestAt, time);
          }
          position += whole;
        }
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const all = bytes / RECORD_BYTES;
    if (intact < all) {
      warn(`${path}: ${all - intact} of ${all} records are damaged or missing; their keys can be charged once more`);
    }
    return { number, bytes, startedAt, newestAt, index, isWhole: intact === all };
  }
}

const fileOf = (number: number): string => `idempotency-${String(number).padStart(6, '0')}.bin`;

/** The segments in the header, oldest first; undefined when they are malformed. A folder that never had any lists none. */
function parseCommitted(value: unknown): readonly CommittedSegment[] | undefined {
  if (value === undefined) return [];
  const isSegment = (each: { segment?: unknown; bytes?: unknown } | null): boolean =>
    Number.isSafeInteger(each?.segment) &&
    (each?.segment as number) > 0 &&
    Number.isSafeInteger(each?.bytes) &&
    (each?.bytes as number) >= 0 &&
    (each?.bytes as number) % RECORD_BYTES === 0;
  return Array.isArray(value) && value.every(isSegment) ? value : undefined;
}
