import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForbiddenAddress } from '../../../src/host/tools/web-fetch/addresses.js'

const FORBIDDEN: Readonly<Record<string, string>> = {
  'this machine': '127.0.0.1 127.255.0.1 ::1 0.0.0.0 0.1.2.3 ::',
  'private networks': '10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fdff::1 fec0::1',
  'links and carriers': '169.254.1.1 fe80::1 fe80::1%eth0 100.64.0.1 100.127.255.255',
  metadata: '169.254.169.254 100.100.100.200 168.63.129.16 fd00:ec2::254',
  'many and nobody': '224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1 ff02::1 192.0.0.1 198.18.0.1 100::1',
  mapped: '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:100.64.0.1 0:0:0:0:0:ffff:a00:1',
  translated: '::ffff:0:127.0.0.1 ::ffff:0:a00:1',
  compatible: '::127.0.0.1 ::a00:1',
  NAT64: '64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::808:808',
  '6to4': '2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101::',
  Teredo: '2001:0:4136:e378:8000:63bf:3fff:fdd2 2001::1',
  ISATAP: '2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:192.168.0.1',
  'no address at all': 'localhost 127.1 nonsense',
}

for (const [what, addresses] of Object.entries(FORBIDDEN)) {
  test(`forbidden: ${what}`, () => {
    for (const address of addresses.split(' ')) assert.equal(isForbiddenAddress(address), true, address)
    assert.equal(isForbiddenAddress(''), true)
  })
}

test('public addresses are not forbidden, whatever form they come in', () => {
  const good =
    '203.0.113.10 8.8.8.8 1.1.1.1 172.32.0.1 172.15.255.255 100.63.255.255 100.128.0.1 169.253.0.1 11.0.0.1 ' +
    '2606:4700:4700::1111 2001:4860:4860::8888 64:ff9b::808:808 ::ffff:8.8.8.8 2002:808:808::1 2a00:1450::5efe:8.8.8.8'
  for (const address of good.split(' ')) assert.equal(isForbiddenAddress(address), false, address)
})
