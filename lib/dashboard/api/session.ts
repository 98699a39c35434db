// `session`: signing in, by password or by link, and out.
import type { Session } from '../../contract/dashboard.js';
import { linkBody, parseBody, passwordBody, signInBody } from '../../contract/dashboard-bodies.js';
import { emptyAnswer, jsonAnswer } from '../../service/http/answer.js';
import type { Answer, ApiRequest } from '../../service/request.js';
import { publicOrigin } from '../../settings.js';
import { audited } from '../../store/audited.js';
import type { Operator } from '../../store/operator-store.js';
import { StoreError } from '../../store/types.js';
import { DashboardError } from '../errors.js';
import { type AdminRoutes, anyone, type DashboardOptions, maySee, operator } from '../route.js';
import { Attempts } from '../sign-in/attempts.js';
import { createPasswords, type Passwords } from '../sign-in/passwords.js';
import { hashSecret } from '../sign-in/secrets.js';
import type { Sessions } from '../sign-in/sessions.js';

const MAX_BODY_BYTES = 16 * 1024;

export interface SessionOptions {
  readonly sessions: Sessions;
  readonly passwords?: Passwords;
  readonly attempts?: Attempts;
}

export function sessionRoutes(options: DashboardOptions, { sessions, ...rest }: SessionOptions): AdminRoutes {
  const { store, logger } = options;
  const { passwords = createPasswords(), attempts = new Attempts() } = rest;

  /** The answer to who is signed in, with the cookie of a new session. */
  const signedIn = async (who: Operator, request?: ApiRequest, passwordHash?: string): Promise<Answer> => {
    const cookie = request && (await sessions.start(who, request, passwordHash));
    return jsonAnswer(200, await sessionOf(who, options), cookie === undefined ? [] : [['Set-Cookie', cookie]]);
  };

  const wrongPassword = () => new DashboardError('wrong_password', 'wrong name or password');

  const signIn = async (name: string, password: string) => {
    const found = await attempts.run(name, async () => {
      const known = await store.findOperator(name);
      if (await passwords.verify(password, known?.passwordHash)) return known;
      // a name that nobody has may be a password in the wrong field
      const actor = { kind: 'operator', name: known?.operator.name ?? 'unknown' } as const;
      await store.appendAudit({ actor, action: 'session.fail', ...(known && { subject: known.operator.id }) });
      return undefined;
    });
    if (!found) throw wrongPassword();
    return found;
  };

  const audit = (who: Operator, action: string) =>
    store.appendAudit({ actor: { kind: 'operator', name: who.name }, action, subject: who.id });

  const linkInvalid = () =>
    new DashboardError('link_invalid', 'the link was used before, is too old, or was replaced by a newer one');

  return {
    session: {
      GET: operator('viewer', ({ operator: who }) => signedIn(who)),
      POST: anyone(
        async ({ context, json }) => {
          const { name, password } = parseBody(signInBody, await json());
          const { operator: who, passwordHash } = await signIn(name, password);
          context.operatorId = who.id;
          const answer = await signedIn(who, context.request, passwordHash).catch((error) => {
            // the operator was removed, or got a new password, while this one was checked
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
        return emptyAnswer(204, [['Set-Cookie', cookie]]);
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
          const who = await own.setPassword(hash, await passwords.hash(password));
          if (!who) throw linkInvalid();
          context.operatorId = who.id;
          return await signedIn(who, context.request);
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
