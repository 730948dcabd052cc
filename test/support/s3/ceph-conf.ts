import { join } from 'node:path';

/**
 * Returns the configuration of a Ceph on loopback that starts quickly. The monitor does not wait
 * for other monitors, and the disk is in memory. The server refuses more than `maxBytes`.
 */
export function configuration(
  folder: string,
  id: string,
  { port, monitorPort, maxBytes }: { port: number; monitorPort: number; maxBytes: number },
): string {
  const at = (...names: string[]) => join(folder, ...names);
  return `[global]
fsid = ${id}
mon host = v1:127.0.0.1:${monitorPort}/0
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 2000
paxos propose interval = 0.01
paxos min wait = 0.01
osd heartbeat grace = 3600
osd class update on start = false
osd crush update on start = false
admin socket =
run dir = ${at('run')}
log file = ${at('log', '$name.log')}
mon data = ${at('mon', 'ceph-$id')}
osd data = ${at('osd', 'ceph-$id')}
osd objectstore = memstore
memstore device bytes = ${maxBytes}
osd class load list = *
osd class default list = *
keyring = ${at('keyring')}
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw run sync thread = false
`;
}
