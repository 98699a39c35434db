// Parsing of render, batch and validate command lines.
import t from 'tap';
import { parseCommand } from '../../lib/cli/args.js';
import { UsageError } from '../../lib/cli/parse-options.js';

t.test('parses commands and their options', async (t) => {
  const rows: [string, object][] = [
    ['', { kind: 'help' }],
    ['--help', { kind: 'help' }],
    ['a.json -h', { kind: 'help' }],
    ['-v', { kind: 'version' }],
    ['--version', { kind: 'version' }],
    ['a.json', { kind: 'render', source: 'a.json', watch: false }],
    ['-', { kind: 'render', source: '-', watch: false }],
    ['a.json -o -', { kind: 'render', source: 'a.json', watch: false }],
    ['a.json -o b.JPG', { kind: 'render', source: 'a.json', watch: false, output: 'b.JPG', format: 'jpg' }],
    ['-o b.webp a.json', { kind: 'render', source: 'a.json', watch: false, output: 'b.webp', format: 'webp' }],
    [
      'a.json --output=b.avif --format PNG',
      {
        kind: 'render',
        source: 'a.json',
        watch: false,
        output: 'b.avif',
        format: 'png',
        warning: {
          code: 'format_mismatch',
          value: '.avif',
          path: '',
          message: 'b.avif is written as PNG because of --format, but its extension is .avif',
        },
      },
    ],
    ['a.json -o b', { kind: 'render', source: 'a.json', watch: false, output: 'b' }],
    [
      'a.json -o b.out --quality 55.5',
      { kind: 'render', source: 'a.json', watch: false, output: 'b.out', quality: 55.5 },
    ],
    [
      'a.json -o b.gif.png --watch',
      { kind: 'render', source: 'a.json', watch: true, output: 'b.gif.png', format: 'png' },
    ],
    ['a.json --strict', { kind: 'render', source: 'a.json', watch: false, strict: true }],
    ['a.json --output=-5', { kind: 'render', source: 'a.json', watch: false, output: '-5' }],
    ['-- -odd.json', { kind: 'render', source: '-odd.json', watch: false }],
    [
      'a.json --var title=Hello --vars v.json --var=b=c=d --var e=',
      {
        kind: 'render',
        source: 'a.json',
        watch: false,
        variables: {
          file: 'v.json',
          pairs: [
            ['title', 'Hello'],
            ['b', 'c=d'],
            ['e', ''],
          ],
        },
      },
    ],
    ['a.json --sample Long', { kind: 'render', source: 'a.json', watch: false, sample: 'Long' }],
    ['a.json --vars -', { kind: 'render', source: 'a.json', watch: false, variables: { file: '-', pairs: [] } }],
    [
      'batch a.json b.csv -o {#}.jpg',
      { kind: 'batch', source: 'a.json', rows: 'b.csv', output: '{#}.jpg', format: 'jpg' },
    ],
    [
      'batch - b.csv -o {a}.{b} --format png --quality 5 --jobs 3',
      { kind: 'batch', source: '-', rows: 'b.csv', output: '{a}.{b}', format: 'png', quality: 5, jobs: 3 },
    ],
    ['validate a.json', { kind: 'validate', source: 'a.json', json: false }],
    ['validate --json -', { kind: 'validate', source: '-', json: true }],
    ['inspect a.json', { kind: 'inspect', source: 'a.json', json: false }],
    [
      'inspect - --json --sample Long --size story --scale 2 --var a=b --fonts f',
      {
        kind: 'inspect',
        source: '-',
        json: true,
        sample: 'Long',
        size: 'story',
        scale: 2,
        variables: { pairs: [['a', 'b']] },
        fonts: 'f',
      },
    ],
    ['./validate', { kind: 'render', source: './validate', watch: false }],
  ];
  for (const [line, command] of rows)
    t.strictSame(parseCommand(line.split(' ').filter((argument) => argument !== '')), command, line);
});

t.test('rejects wrong usage with a one-line UsageError', async (t) => {
  const rows: [string, RegExp][] = [
    ['a.json b.json', /expected one payload, received 2: a\.json, b\.json/],
    ['--format png', /expected the payload/],
    ['validate', /expected the payload/],
    ['a.json --fromat png', /'--fromat'; did you mean --format\?/],
    ['a.json -x', /'-x'/],
    ['a.json --format', /--format/],
    ['a.json --format bmp', /--format: received "bmp", expected one of png/],
    ['a.json -o a.gif', /\.gif can't be written/],
    ['a.json --quality 0', /--quality: received "0", expected a number from 1 to 100/],
    ['a.json --quality abc', /--quality/],
    ['a.json --quality=', /--quality/],
    ['a.json --quality NaN', /--quality/],
    ['a.json --watch', /--watch needs -o/],
    ['- -o a.png --watch', /--watch needs a payload in a file/],
    ['a.json --output=', /--output needs/],
    ['a.json --var title', /--var: received "title", expected name=value/],
    ['a.json --var =x', /--var: received "=x"/],
    ['a.json --vars=', /--vars needs/],
    ['- --vars -', /can't both be standard input/],
    ['a.json -o b.png --watch --vars -', /--watch needs --vars in a file/],
    ['a.json --jobs 2', /"render" does not support --jobs/],
    ['batch a.json', /expected the template and its rows/],
    ['batch a.json b.csv c.csv -o {#}.png', /received also c\.csv/],
    ['batch - - -o {#}.png', /can't both be standard input/],
    ['batch a.json b.csv', /needs -o with a placeholder/],
    ['batch a.json b.csv -o a.png', /needs -o with a placeholder/],
    ['batch a.json b.csv -o {#}.gif', /\.gif can't be written/],
    ['batch a.json b.csv -o x.{a}', /--format is required/],
    ['batch a.json b.csv -o {#}.png --jobs 0', /--jobs: received "0"/],
    ['batch a.json b.csv -o {#}.png --watch', /"platen batch" does not support --watch/],
    ['a.json --json', /"render" does not support --json/],
    ['a.json -o', /-o needs a value$/],
    ['a.json -o --format png', /-o needs a value, received "--format"/],
    ['a.json --quality -5', /--quality: received "-5", expected a number from 1 to 100/],
    ['batch a.json b.csv -o {#}.png --jobs -1', /--jobs: received "-1"/],
    ['inspect', /expected the payload/],
    ['inspect - --vars -', /can't both be standard input/],
    ['inspect a.json -o a.png', /"platen inspect" does not support --output/],
    ['inspect a.json --scale 9', /--scale: received "9", expected a number from 0.1 to 8/],
    ['validate a.json --watch', /"platen validate" does not support --watch/],
  ];
  for (const [line, message] of rows) {
    try {
      parseCommand(line.split(' '));
      t.fail(`accepted: ${line}`);
    } catch (error) {
      t.type(error, UsageError, line);
      t.match((error as Error).message, message);
      t.notMatch((error as Error).message, '\n');
    }
  }
});
