import { Live } from './live';

export const metadata = { openGraph: { images: ['/card.png?title=Hello'] } };

export default function Page() {
  return <Live />;
}
