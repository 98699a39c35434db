// Replays every input that failed before: responses follow the contract and leave no state behind.
import t from 'tap';
import { build } from './built.js';

// fault: 51
t.test('handles inputs that failed before', async (t) => {
  const built = await build();
  const subject = built.subject.createSubject({ deadlineMs: 300_000 });
  t.teardown(() => {
    subject.renew();
    built.remove();
  });
  const trials = new built.trial.Trials(built.root, subject);
  const cases = built.corpus.readCorpus(built.root);
  await trials.prepare(cases.map(({ target }) => target));
  for (const { target, path, input } of cases) {
    const { outcome, failure } = await trials.run(target, input);
    t.equal(failure, undefined, `${path}: ${outcome}`);
  }
});
