// The buttons that copy a render's request as code.
import { session } from '../app/session.js';
import { CopyButton } from '../ui/value.js';
import { codeFor, LANGUAGES } from './code.js';

/** `body` is that of `POST /v1/render`; undefined while there is none, such as for a template that is not saved. */
export function CopyCode({ body }: { readonly body: Readonly<Record<string, unknown>> | undefined }) {
  return (
    <>
      {LANGUAGES.map((language) => (
        <CopyButton
          key={language}
          size="small"
          label={`Copy as ${language}`}
          disabled={!body}
          text={() => (body ? codeFor(language, { origin: session.value?.origin ?? location.origin, body }) : '')}
        />
      ))}
    </>
  );
}
