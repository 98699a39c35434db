// The page Sign in: name and password.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session, SignInBody } from '../../../lib/contract/dashboard.js';
import { ApiError, api } from '../../app/api.js';
import { navigate } from '../../app/router.js';
import { HOME, session, signedIn } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { Alert } from '../../ui/feedback.js';
import { TextField } from '../../ui/field.js';
import { Page } from '../../ui/page.js';

export default function SignIn() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const nameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (session.peek()) navigate(HOME, { replace: true });
    else nameInput.current?.focus();
  }, [session.value]);

  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const body: SignInBody = { name, password };
      signedIn(await api.post<Session>('session', body));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(problemOf(error));
      setPassword('');
      setBusy(false);
      passwordInput.current?.focus();
    }
  };

  return (
    <Page title="Sign in">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {problem && <Alert>{problem}</Alert>}
        <TextField
          label="Name"
          name="username"
          autocomplete="username"
          autocapitalize="off"
          required
          value={name}
          onInput={setName}
          inputRef={nameInput}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={setPassword}
          inputRef={passwordInput}
        />
        <Button type="submit" kind="primary" isBusy={isBusy} class="button-block">
          Sign in
        </Button>
      </form>
      <p class="public-note">
        No password yet, or forgotten? An owner makes a new sign-in link on the page Operators, or with{' '}
        <code>platen operators link NAME</code>.
      </p>
    </Page>
  );
}

function problemOf({ code, message, retryAfterSeconds }: ApiError): string {
  const wait = retryAfterSeconds ? ` Try again in ${retryAfterSeconds} s.` : ' Try again in a moment.';
  if (code === 'wrong_password') return 'Wrong name or password';
  if (code === 'too_many_attempts') return `Too many attempts.${wait}`;
  if (code === 'busy') return `Too many sign-ins at once.${wait}`;
  return message;
}
