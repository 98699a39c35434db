// Serves `session`: signs operators in, by password or by link, and out.
import { linkBody, parseBody, passwordBody, type Session, signInBody } from '../../contract/dashboard.js';
import { emptyAnswer, jsonAnswer } from '../../service/http/answer.js';
import type { Answer, ApiRequest } from '../../service/request.js';
import { publicOrigin } from '../../settings.js';
import { audited } from '../../store/audited.js';
import type { Operator } from '../../store/operator-store.js';
import { StoreError } from '../../store/types.js';
import { DashboardError } from '../errors.js';
import { type AdminRoutes, anyone, type DashboardOptions, maySee, operator } from '../route.js';
import { Attempts } from '../sign-in/attempts.js';
import type { KnownBrowsers } from '../sign-in/known-browsers.js';
import { createPasswords, type Passwords } from '../sign-in/passwords.js';
import { hashSecret } from '../sign-in/secrets.js';
import type { Sessions } from '../sign-in/sessions.js';

const MAX_BODY_BYTES = 16 * 1024;

export interface SessionOptions {
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly passwords?: Passwords;
  readonly attempts?: Attempts;
}

export function sessionRoutes(options: DashboardOptions, { sessions, browsers, ...rest }: SessionOptions): AdminRoutes {
  const { store, logger } = options;
  const { passwords = createPasswords(), attempts = new Attempts() } = rest;

  // a separate queue for browsers that have signed in before by that name
  const knownAttempts = attempts.another();

  /** Starts a session, and answers with the operator who is signed in. */
  const startSession = async (who: Operator, passwordHash: string, request: ApiRequest): Promise<Answer> => {
    const cookies = [await sessions.start(who, request, passwordHash), browsers.cookieFor(passwordHash)];
    return { ...jsonAnswer(200, await sessionOf(who, options)), cookies };
  };

  const wrongPassword = () => new DashboardError('wrong_password', 'wrong name or password');

  const signIn = async (name: string, password: string, request: ApiRequest) => {
    const isKnown = browsers.isKnown(request, (await store.findOperator(name))?.passwordHash);
    let known: Operator | undefined;
    const found = await (isKnown ? knownAttempts : attempts).run(name, async () => {
      const { operator: who, passwordHash } = (await store.findOperator(name)) ?? {};
      known = who;
      return (await passwords.verify(password, passwordHash)) && who && passwordHash
        ? { who, passwordHash }
        : undefined;
    });
    if (found) return found;
    // the attempt counts as failed already, even if the audit log can't be written; an unknown name may be a password in the
    // wrong field, so it isn't logged
    const actor = { kind: 'operator', name: known?.name ?? 'unknown' } as const;
    await store.appendAudit({ actor, action: 'session.fail', ...(known && { subject: known.id }) });
    throw wrongPassword();
  };

  const audit = (who: Operator, action: string) =>
    store.appendAudit({ actor: { kind: 'operator', name: who.name }, action, subject: who.id });

  const linkInvalid = () =>
    new DashboardError('link_invalid', 'the link was used before, is too old, or was replaced by a newer one');

  return {
    session: {
      GET: operator('viewer', async ({ operator: who }) => jsonAnswer(200, await sessionOf(who, options))),
      POST: anyone(
        async ({ context, json }) => {
          const { name, password } = parseBody(signInBody, await json());
          const { who, passwordHash } = await signIn(name, password, context.request);
          context.operatorId = who.id;
          const answer = await startSession(who, passwordHash, context.request).catch((error) => {
            // the operator was removed, or got a new password, during this check
            throw error instanceof StoreError && error.code === 'not_found' ? wrongPassword() : error;
          });
          await audit(who, 'session.create');
          return answer;
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
      DELETE: anyone(async ({ context: { request } }) => {
        const who = await sessions.find(request);
        const cookie = await sessions.end(request);
        if (who) await audit(who, 'session.end');
        return { ...emptyAnswer(204, []), cookies: [cookie] };
      }),
    },
    'session/link': {
      POST: anyone(
        async ({ json }) => {
          const { token } = parseBody(linkBody, await json());
          const hash = hashSecret(token);
          const who = hash && (await store.findSignInToken(hash));
          if (!who) throw linkInvalid();
          return jsonAnswer(200, { name: who.name });
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
    'session/password': {
      POST: anyone(
        async ({ context, json }) => {
          const { token, password } = parseBody(passwordBody, await json());
          const hash = hashSecret(token);
          // strangers can't make the server hash
          const known = hash && (await store.findSignInToken(hash));
          if (!known) throw linkInvalid();
          const own = audited(store, { kind: 'operator', name: known.name }, (message) => logger.error(message));
          const passwordHash = await passwords.hash(password);
          const who = await own.setPassword(hash, passwordHash);
          if (!who) throw linkInvalid();
          context.operatorId = who.id;
          return await startSession(who, passwordHash, context.request);
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
  };
}

async function sessionOf(who: Operator, { store, settings, port, version }: DashboardOptions): Promise<Session> {
  const workspaces = await store.listWorkspaces();
  return {
    operator: { id: who.id, name: who.name, role: who.role },
    workspaces: workspaces.filter(({ id }) => maySee(who, id)).map(({ id, name, plan }) => ({ id, name, plan })),
    watermark: settings.WATERMARK_TEXT,
    origin: publicOrigin(settings, port()),
    creditsCost: settings.RENDER_CREDIT_COST,
    maxLayers: settings.MAX_LAYERS,
    version,
  };
}
