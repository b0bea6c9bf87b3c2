import { BlockList, isIP } from "node:net";

/** Whether a message may go to an IP address. */
export type AddressRule = (address: string) => boolean;

type Subnet = readonly [net: string, bits: number];

/** Addresses inside a machine, a cloud or a link. No receiver of notifications has such an address. */
const LINK_LOCAL_IPV4: readonly Subnet[] = [
  ["169.254.0.0", 16],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Cloud metadata services outside the link-local range.
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.0", 24],
];
const LINK_LOCAL: readonly Subnet[] = [
  ["0.0.0.0", 8],
  ...LINK_LOCAL_IPV4,
  ...LINK_LOCAL_IPV4.flatMap(toIpv6),
  ["64:ff9b:1:a9fe::", 64],
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  // Cloud metadata services, and services that hand out the credentials of workloads.
  ["fd00:c1::", 32],
  ["fd00:ec2::", 32],
  ["fd00:42::42", 128],
  ["fd20:ce::254", 128],
];

/** Networks of a single machine or site. */
const PRIVATE: readonly Subnet[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["fc00::", 7],
  ["fec0::", 10],
  // IPv6 addresses that embed an IPv4 address, including `::1`.
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
];

const linkLocal = toBlockList(LINK_LOCAL);
const notPublic = toBlockList([...LINK_LOCAL, ...PRIVATE]);

/** Allows public internet addresses only. Used for push services, whose address comes from a browser. */
export const isPublicAddress: AddressRule = (address) => isOutside(notPublic, address);

/** Also allows addresses of this machine and its networks. Used for hosts from the person's config file. */
export const isNotLinkLocal: AddressRule = (address) => isOutside(linkLocal, address);

function isOutside(list: BlockList, address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !list.check(address, "ipv4");
    case 6:
      return !list.check(address, "ipv6");
    default:
      return false;
  }
}

/** Returns the IPv6 forms of an IPv4 network, except `::ffff:a.b.c.d`, which `BlockList` handles. */
function toIpv6([net, bits]: Subnet): Subnet[] {
  const [first = 0, second = 0, third = 0, fourth = 0] = net.split(".").map(Number);
  const words = [first * 256 + second, third * 256 + fourth].map((word) => word.toString(16));
  const end = words.join(":");
  return [
    [`::${end}`, 96 + bits],
    [`::ffff:0:${end}`, 96 + bits],
    [`64:ff9b::${end}`, 96 + bits],
    [`64:ff9b:1::${end}`, 96 + bits],
    [`2002:${end}::`, 16 + bits],
  ];
}

function toBlockList(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of subnets) list.addSubnet(net, bits, isIP(net) === 4 ? "ipv4" : "ipv6");
  return list;
}
