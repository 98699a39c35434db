// The page of a sign-in link, `/dashboard/link#TOKEN`: the operator chooses a password and is signed in.
import { useEffect, useState } from 'preact/hooks';
import type { PasswordBody, Session } from '../../../lib/contract/dashboard.js';
import { ApiError, api } from '../../app/api.js';
import { signedIn } from '../../app/session.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Alert, Skeleton } from '../../ui/feedback.js';
import { TextField } from '../../ui/field.js';
import { Page } from '../../ui/page.js';

const MIN_LENGTH = 12;

/** The token of the link, read once: neither the address bar nor the history keeps it. */
let token = '';
function takeToken(): string {
  if (location.hash.length > 1) {
    token = location.hash.slice(1);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return token;
}

type Link =
  | { readonly state: 'checking' | 'invalid' }
  | { readonly state: 'valid'; readonly name: string }
  | { readonly state: 'failed'; readonly message: string };

export default function SetPassword() {
  const [link, setLink] = useState<Link>({ state: 'checking' });
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [problem, setProblem] = useState<{ readonly field?: 'password' | 'repeated'; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);

  const fail = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 410) setLink({ state: 'invalid' });
    return error;
  };

  useEffect(() => {
    const check = () => {
      setLink({ state: 'checking' });
      api.post<{ name: string }>('session/link', { token: takeToken() }).then(
        ({ name }) => setLink({ state: 'valid', name }),
        (error) => {
          const { status, message } = fail(error);
          if (status !== 410) setLink({ state: 'failed', message });
        },
      );
    };
    check();
    // opening a second link in the same window only changes the fragment
    addEventListener('hashchange', check);
    return () => removeEventListener('hashchange', check);
  }, []);

  const submit = async () => {
    if (isBusy) return;
    if ([...password].length < MIN_LENGTH) {
      return setProblem({ field: 'password', text: `Use ${MIN_LENGTH} characters or more.` });
    }
    if (password !== repeated) return setProblem({ field: 'repeated', text: 'The passwords differ.' });
    setBusy(true);
    setProblem(undefined);
    try {
      const body: PasswordBody = { token, password };
      const session = await api.post<Session>('session/password', body);
      token = '';
      signedIn(session);
    } catch (error) {
      setProblem({ text: fail(error).message });
      setBusy(false);
    }
  };

  return (
    <Page
      title="Set password"
      description={
        link.state === 'valid' ? `Welcome, ${link.name}. The link works until you have chosen one.` : '\u00a0'
      }
    >
      {link.state === 'invalid' && (
        <div class="stack">
          <Alert>This link was used already, or is older than 15 minutes</Alert>
          <p class="public-note">
            Ask an owner for a new one, or run <code>platen operators link NAME</code> on the server.
          </p>
          <ButtonLink href="/dashboard/login">Go to sign-in</ButtonLink>
        </div>
      )}
      {link.state === 'failed' && <Alert>{link.message}</Alert>}
      {link.state === 'checking' && (
        <div class="stack" aria-busy="true">
          <Skeleton height="3.75rem" />
          <Skeleton height="3.75rem" />
          <Skeleton height="2.5rem" />
        </div>
      )}
      {link.state === 'valid' && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {problem && !problem.field && <Alert>{problem.text}</Alert>}
          {/* password managers save the name with the password */}
          <input
            class="visually-hidden"
            aria-hidden="true"
            tabIndex={-1}
            name="username"
            autocomplete="username"
            readOnly
            value={link.name}
          />
          <TextField
            label="Password"
            type="password"
            autocomplete="new-password"
            required
            value={password}
            onInput={setPassword}
            hint={`${MIN_LENGTH} characters or more.`}
            error={problem?.field === 'password' ? problem.text : undefined}
          />
          <TextField
            label="Repeat password"
            type="password"
            autocomplete="new-password"
            required
            value={repeated}
            onInput={setRepeated}
            error={problem?.field === 'repeated' ? problem.text : undefined}
          />
          <Button type="submit" kind="primary" isBusy={isBusy} class="button-block">
            Set password
          </Button>
        </form>
      )}
    </Page>
  );
}
