'use client';

import { useEffect, useState } from 'react';
import { createRenderer } from 'platen/browser';
import { createWorkerRenderer } from 'platen/worker';
import { card } from '../card.js';

const URLS = { page: undefined, worker: undefined };

export function Live() {
  const [urls, setUrls] = useState(URLS);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const show = async (id, renderer) => {
      const title = new URLSearchParams(location.search).get('title') ?? 'Untitled';
      const { bytes, mimeType } = await renderer.render(card(title));
      const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
      setUrls((others) => ({ ...others, [id]: url }));
    };
    Promise.all([show('page', createRenderer()), show('worker', createWorkerRenderer())]).catch((error) =>
      setProblem(error.message),
    );
  }, []);
  return (
    <>
      <img id="page" src={urls.page} alt="The card, drawn in the page" />
      <img id="worker" src={urls.worker} alt="The card, drawn in a worker" />
      <pre id="problem">{problem}</pre>
    </>
  );
}
