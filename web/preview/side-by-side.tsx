// Shows two texts side by side under their headings, marks the lines that differ, and shows their pictures above.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type DiffLine, diffLines } from './line-diff.js';

interface Side {
  readonly title: string;
  readonly text: string;
  readonly picture?: ComponentChildren;
}

export function SideBySide({ left, right }: { readonly left: Side; readonly right: Side }) {
  const [leftLines, rightLines] = useMemo(() => diffLines(left.text, right.text), [left.text, right.text]);
  return (
    <Sides>
      <TextSide side={left} lines={leftLines} />
      <TextSide side={right} lines={rightLines} />
    </Sides>
  );
}

export function Sides({ children }: { readonly children: ComponentChildren }) {
  return <div class="sides">{children}</div>;
}

interface SideFrameProps {
  readonly title: string;
  /** A note beside the title. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

export function SideFrame({ title, note, children }: SideFrameProps) {
  return (
    <section class="side">
      <div class="side-heading">
        <h3>{title}</h3>
        {note && <span class="side-count">{note}</span>}
      </div>
      {children}
    </section>
  );
}

interface TextSideProps {
  readonly side: Side;
  readonly lines: readonly DiffLine[];
}

function TextSide({ side: { title, picture }, lines }: TextSideProps) {
  const changed = lines.filter(({ isChanged }) => isChanged).length;
  return (
    <SideFrame title={title} note={changed === 0 ? 'no line differs' : `${changed} of ${lines.length} lines differ`}>
      {picture}
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
    </SideFrame>
  );
}
