// The buttons that copy a render's request as code.
import { session } from '../app/session.js';
import { CopyButton } from '../ui/value.js';
import { codeFor, LANGUAGES, type Language } from './code.js';
import type { Body } from './payload-kind.js';

export interface CopyCodeProps {
  /** Returns the body of `POST /v1/render`. */
  readonly body: () => Body | undefined;
  /** Whether there is a body; an unsaved template has none. */
  readonly isReady: boolean;
}

export function CopyCode({ body, isReady }: CopyCodeProps) {
  const write = (language: Language) => {
    const current = body();
    return current ? codeFor(language, { origin: session.value?.origin ?? location.origin, body: current }) : '';
  };
  return (
    <>
      {LANGUAGES.map((language) => (
        <CopyButton
          key={language}
          size="small"
          label={`Copy as ${language}`}
          disabled={!isReady}
          text={() => write(language)}
        />
      ))}
    </>
  );
}
