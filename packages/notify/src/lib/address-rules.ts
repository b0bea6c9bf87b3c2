import { BlockList, isIP } from "node:net";

/** Whether a message may go to an IP address. */
export type AddressRule = (address: string) => boolean;

/** Where a machine, a cloud or a link speaks to itself. Nothing that takes notifications is there. */
const LINK_LOCAL: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Metadata of machines in clouds that is not at a link-local address.
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.0", 24],
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
  // 169.254.0.0/16 and the metadata of one cloud, written as IPv6 addresses.
  ["64:ff9b::a9fe:0", 112],
  ["64:ff9b:1::a9fe:0", 112],
  ["64:ff9b:1:a9fe::", 64],
  ["64:ff9b::6464:64c8", 128],
  ["2002:a9fe::", 32],
];

/** Networks of one machine or one house. */
const PRIVATE: readonly (readonly [string, number])[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["::1", 128],
  ["fc00::", 7],
  ["fec0::", 10],
  // Ways to write an IPv4 address as an IPv6 one.
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
];

const linkLocal = toBlockList(LINK_LOCAL);
const notPublic = toBlockList([...LINK_LOCAL, ...PRIVATE]);

/** All addresses of the internet: for push services, whose address a browser has named. */
export const isPublicAddress: AddressRule = (address) => isOutside(notPublic, address);

/** Those of this machine and its networks as well: for what the person has written into the own config file. */
export const isNotLinkLocal: AddressRule = (address) => isOutside(linkLocal, address);

function isOutside(list: BlockList, address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !list.check(address, "ipv4");
    case 6: {
      // The list knows `::ffff:a.b.c.d` as the IPv4 address in it.
      return !list.check(address, "ipv6");
    }
    default:
      return false;
  }
}

function toBlockList(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of subnets) list.addSubnet(net, bits, isIP(net) === 4 ? "ipv4" : "ipv6");
  return list;
}
