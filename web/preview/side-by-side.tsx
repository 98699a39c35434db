// Two texts beside each other under their headings, with the lines that differ marked.
import { useMemo } from 'preact/hooks';
import { type DiffLine, diffLines } from './line-diff.js';

interface Side {
  readonly title: string;
  readonly text: string;
}

export function SideBySide({ left, right }: { readonly left: Side; readonly right: Side }) {
  const [leftLines, rightLines] = useMemo(() => diffLines(left.text, right.text), [left.text, right.text]);
  return (
    <div class="sides">
      <Text title={left.title} lines={leftLines} />
      <Text title={right.title} lines={rightLines} />
    </div>
  );
}

function Text({ title, lines }: { readonly title: string; readonly lines: readonly DiffLine[] }) {
  const changed = lines.filter(({ isChanged }) => isChanged).length;
  return (
    <section class="side">
      <div class="side-heading">
        <h3>{title}</h3>
        <span class="side-count">
          {changed === 0 ? 'no line differs' : `${changed} of ${lines.length} lines differ`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre class="side-text" tabIndex={0} aria-label={`${title}: text`} role="region">
        {lines.map(({ text, isChanged }, i) =>
          isChanged ? (
            <mark key={i} class="side-line">
              {text}
              {'\n'}
            </mark>
          ) : (
            <span key={i} class="side-line">
              {text}
              {'\n'}
            </span>
          ),
        )}
      </pre>
    </section>
  );
}
