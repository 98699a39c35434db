// The address policy: both ends and the public neighbours of every special range, IPv4 embedded in IPv6, ports and exceptions.
import t from 'tap';
import { allowPublic, isPublic } from '../../lib/net/address-policy.js';

/** First, last, and the public neighbours before and after (empty if the neighbour is special too). */
const RANGES: [first: string, last: string, before: string, after: string][] = [
  ['0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', ''],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff:ffff::1', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::1', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff::1', '2003::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::1', '2620:4f:8001::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::1', '3fff:1000::'],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', '2000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::1', ''],
];

// fault: 33
t.test('rejects both ends of every special range and accepts its neighbours', async (t) => {
  for (const [first, last, before, after] of RANGES) {
    t.notOk(isPublic(first), first);
    t.notOk(isPublic(last), last);
    if (before) t.ok(isPublic(before), before);
    if (after) t.ok(isPublic(after), after);
  }
});

// fault: 34, 35
t.test('rejects special addresses and text that is not an address', async (t) => {
  for (const address of [
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '0:0:0:0:0:ffff:a00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::808:808',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001:0:53aa:64c:0:0:80ff:fffe',
    '2002:7f00:1::',
    '2001:4860:4860::5efe:127.0.0.1',
    '2001:4860:4860::200:5efe:a00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '169.254.169.254',
    '100.100.100.200',
    '255.255.255.255',
    // Text that is not an address literal is not public.
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '[::1]',
    '8.8.8.8.',
    '',
  ]) {
    t.notOk(isPublic(address), address);
  }
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800:5efe::1:2',
  ]) {
    t.ok(isPublic(address), address);
  }
});

// fault: 36
t.test('rejects every spelling of a special address in a URL', async (t) => {
  for (const host of [
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '127.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0xA9FEA9FE',
    '169.254.43518',
    '%31%32%37.0.0.1',
    '[::ffff:127.0.0.1]',
    '[0:0::1]',
  ]) {
    t.notOk(isPublic(new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '')), host);
  }
});

// fault: 41
t.test('applies ports and exceptions', async (t) => {
  const isAllowed = allowPublic(['127.0.0.1', 'Intranet.example:9000', '[::1]:80', 'fd00::1', ' 10.0.0.7:8080 ']);
  t.ok(isAllowed('8.8.8.8', 'dns.example', 443));
  for (const port of [0, 22, 25, 6379, 5432, 65535]) t.notOk(isAllowed('8.8.8.8', 'dns.example', port), String(port));
  t.ok(isAllowed('127.0.0.1', '127.0.0.1', 41234), 'an exception without a port allows every port');
  t.notOk(isAllowed('127.0.0.1', 'localhost', 80), 'an exception applies to the host as written in the URL');
  t.notOk(isAllowed('127.0.0.2', '127.0.0.2', 80));
  t.ok(isAllowed('10.1.2.3', 'intranet.example', 9000));
  t.ok(isAllowed('10.1.2.3', 'INTRANET.example', 9000));
  t.notOk(isAllowed('10.1.2.3', 'intranet.example', 80));
  t.ok(isAllowed('::1', '::1', 80));
  t.notOk(isAllowed('::1', '::1', 8080));
  t.ok(isAllowed('fd00::1', 'fd00::1', 1));
  t.ok(isAllowed('10.0.0.7', '10.0.0.7', 8080));
  t.ok(allowPublic([], [81])('8.8.8.8', 'h', 81));
  for (const entry of ['', 'a b', 'http://h/', 'h/x', 'user@h', 'h:99999', ':80']) {
    t.throws(() => allowPublic([entry]), RangeError, JSON.stringify(entry));
  }
});

// fault: 32
t.test('rejects public addresses of this machine', async (t) => {
  const own = ['127.0.0.1', '93.184.216.34', '2606:4700:4700:0:0::1', 'fe80::1%eth0'];
  const isAllowed = allowPublic(['mine.example:443', '2606:4700:4700::1'], undefined, () => own);
  for (const address of ['93.184.216.34', '2606:4700:4700::1', '2606:4700:4700:0::0001']) {
    t.notOk(isAllowed(address, 'other.example', 443), address);
  }
  t.ok(isAllowed('93.184.216.35', 'other.example', 443), 'allows other public addresses');
  t.ok(isAllowed('2606:4700:4700::2', 'other.example', 443));
  t.ok(isAllowed('93.184.216.34', 'mine.example', 443), 'allows an exception');
  t.ok(isAllowed('2606:4700:4700::1', '2606:4700:4700::1', 80));
  own.push('93.184.216.35');
  t.notOk(isAllowed('93.184.216.35', 'other.example', 443), 'reads the addresses at each check');
});
