// node scripts/commit-subjects.mjs [BASE]
// Checks the subjects of the commits after BASE: `area: what changed`, at most 72 characters. Merge commits are exempt.
// Without git, or without BASE in the history (a shallow clone, an unpacked archive), it says so and checks nothing.
import { execFileSync } from 'node:child_process';

/** The last commit before the rule. */
const FIRST_BASE = '19086ca2fa754af7f104dd43e40efde46601f2c6';
const MAX_LENGTH = 72;
/** Folders, files or topics, such as `cli`, `web/pages, web/ui` or `render log`, then what the commit does. */
const SUBJECT = /^[a-z][\w./-]*(?:,? [\w./-]+)*: \S/;

/** @param {string[]} words */
const git = (...words) => execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** @param {string} subject */
function faultOf(subject) {
  if (!SUBJECT.test(subject)) return 'expected "area: what", such as "store: refuse a lock of another host"';
  if (subject.length > MAX_LENGTH) return `expected at most ${MAX_LENGTH} characters, received ${subject.length}`;
}

const base = process.argv[2] ?? FIRST_BASE;
let lines;
try {
  git('merge-base', base, 'HEAD');
  lines = git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`).split('\n').filter(Boolean);
} catch {
  console.log(`skipped: there is no history since ${base}`);
  process.exit();
}
for (const line of lines) {
  const [, hash, subject] = /^(\S+) (.*)$/.exec(line) ?? [];
  const fault = faultOf(subject);
  if (fault === undefined) continue;
  console.error(`${hash} ${subject}: ${fault}`);
  process.exitCode = 1;
}
if (!process.exitCode) console.log(`${lines.length} subjects`);
