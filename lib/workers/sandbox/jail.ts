// Namespaces around a render process: no network, no other processes, and a file system with nothing but the files of the
// allow-list, read-only. util-linux makes them (unshare, mount, pivot_root, setpriv), so Linux alone has them.
import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { promisify } from 'node:util';
import type { AllowList } from './allow-list.js';
import type { LocalWalls } from './walls.js';

export interface ProcessCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Whom a process becomes that root starts: nobody's id on common systems, and within the ids that containers map. */
const USER_ID = 65_533;
/** The score by which Linux picks what to kill when memory runs out: a worker before its parent, whose score is 0. */
export const OOM_SCORE = 900;
const PROGRAM_FOLDERS = ['/usr/bin', '/usr/sbin', '/bin', '/sbin'];
/** Folders that most systems have. The new root is mounted over one from which the process reads nothing. */
const MOUNT_POINTS = ['/sys', '/mnt', '/media', '/srv', '/opt', '/home', '/tmp'];
const OLD_ROOT = '/.old';
const DEVICES = ['/dev/null', '/dev/urandom'];

/** The path of a program of the system; undefined if there is none. */
export function findProgram(name: string): string | undefined {
  return PROGRAM_FOLDERS.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

function needProgram(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`there is no ${name} in ${PROGRAM_FOLDERS.join(', ')}`);
  return path;
}

/** Returns what wraps a command, or throws with the reason why this system has no namespaces for it. */
export async function createJail(
  kind: NonNullable<LocalWalls['namespaces']>,
  allowed: AllowList,
): Promise<(command: ProcessCommand) => ProcessCommand> {
  if (process.platform !== 'linux') throw new Error('only Linux has namespaces');
  const [unshare, setpriv, sh] = ['unshare', 'setpriv', 'sh'].map(needProgram);
  const script = await scriptOf(kind, allowed);
  const options = [
    ...(kind === 'user' ? ['--user', '--map-root-user'] : []),
    ...['--net', '--ipc', '--uts', '--mount', '--pid', '--fork', '--kill-child=KILL'],
  ];
  return ({ file, args }) => ({
    // The process does not see from its namespace whether its parent lives, so the kernel kills it: unshare with the server,
    // and the process with unshare.
    file: setpriv,
    args: ['--pdeathsig=KILL', unshare, ...options, '--', sh, '-c', script, 'sh', file, ...args],
  });
}

/** The shell script that runs in the new namespaces and becomes the command in its arguments. */
async function scriptOf(kind: LocalWalls['namespaces'], { paths, links }: AllowList): Promise<string> {
  const [mount, umount, pivotRoot, setpriv, mkdir, ln] = [
    'mount',
    'umount',
    'pivot_root',
    'setpriv',
    'mkdir',
    'ln',
  ].map(needProgram);
  const node = realpathSync(process.execPath);
  const [nodeLibraries, setprivLibraries, umountLibraries] = await Promise.all(
    [node, setpriv, umount].map(librariesOf),
  );
  const loaderCache = ['/etc/ld.so.cache', '/usr/share/nodejs'].filter((path) => existsSync(path));
  const readable = [...new Set([node, setpriv, ...nodeLibraries, ...setprivLibraries, ...loaderCache, ...paths])];
  const all = [...readable, ...DEVICES];
  const root = MOUNT_POINTS.find(
    (point) => existsSync(point) && !all.some((path) => path === point || path.startsWith(`${point}/`)),
  );
  if (root === undefined) throw new Error('there is no folder over which a new root can be mounted');
  const outside = [...links].filter(([link]) => !paths.some((path) => link.startsWith(path + sep)));
  const isFolder = (path: string) => statSync(path).isDirectory();
  const folders = [
    ...all.map((path) => (isFolder(path) ? path : dirname(path))),
    ...outside.map(([link]) => dirname(link)),
    '/proc',
    OLD_ROOT,
  ];
  const binds = [
    ...readable.map((path) => [path, 'bind,ro,nosuid,nodev']),
    ...DEVICES.map((path) => [path, 'bind,ro,nosuid,noexec']),
  ];
  const table = [
    ...binds.map(([path, options]) => `${escaped(path)} ${escaped(root + path)} none ${options} 0 0`),
    `proc ${root}/proc proc ro,nosuid,nodev,noexec 0 0`,
  ];
  const oldLibraries = [...new Set(umountLibraries.map((path) => OLD_ROOT + dirname(path)))].join(':');
  const user = kind === 'root' ? `--reuid=${USER_ID} --regid=${USER_ID} --clear-groups ` : '';
  return [
    'set -e',
    `echo ${OOM_SCORE} > /proc/self/oom_score_adj || :`,
    // a nested namespace would give the process new rights in it
    ...(kind === 'user' ? ['echo 0 > /proc/sys/user/max_user_namespaces || :'] : []),
    `${mount} -t tmpfs -o size=1m,mode=755,nosuid,nodev,noexec platen ${root}`,
    `${mkdir} -p ${[...new Set(folders)].map((path) => quoted(root + path)).join(' ')}`,
    ...all.filter((path) => !isFolder(path)).map((path) => `: > ${quoted(root + path)}`),
    ...linkCommands(ln, root, outside),
    // the process does not see the table: /proc covers it
    `while IFS= read -r line; do printf '%s\\n' "$line"; done > ${root}/proc/table <<'TABLE'`,
    ...table,
    'TABLE',
    `${mount} -a -T ${root}/proc/table`,
    `${mount} -o remount,bind,ro,nosuid,nodev,noexec ${root}`,
    `${pivotRoot} ${root} ${root}${OLD_ROOT}`,
    'cd /',
    `LD_LIBRARY_PATH=${quoted(oldLibraries)} ${OLD_ROOT}${umount} -l ${OLD_ROOT}`,
    // a change of the user id takes the signal back, so setpriv sets it again
    `exec ${setpriv} --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all ${user}--pdeathsig=KILL "$@"`,
  ].join('\n');
}

/** Links with the names of their targets are made by one command for each folder. */
function linkCommands(ln: string, root: string, links: readonly (readonly [string, string])[]): string[] {
  const byFolder = new Map<string, string[]>();
  const commands: string[] = [];
  for (const [link, target] of links) {
    if (basename(link) === basename(target)) {
      const folder = dirname(link);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), target]);
    } else commands.push(`${ln} -s ${quoted(target)} ${quoted(root + link)}`);
  }
  for (const [folder, targets] of byFolder) {
    commands.push(`${ln} -s -t ${quoted(root + folder)} ${targets.map(quoted).join(' ')}`);
  }
  return commands;
}

/** The shared libraries of a program, its loader included, by the paths at which the loader looks for them. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(needProgram('ldd'), [program]).catch((error) => {
    // a program without libraries
    if (/not a dynamic executable/.test(`${error.stdout}${error.stderr}`)) return { stdout: '' };
    throw error;
  });
  return [...stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path]) => path);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A field of fstab(5). */
const escaped = (text: string) =>
  text.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
