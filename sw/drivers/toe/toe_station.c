// SPDX-License-Identifier: GPL-2.0
/*
 * Next stations: the chip's table of destination addresses (L2T). An entry is for an address, so
 * entries are few, and stay until the adapter goes down.
 */
#include <net/arp.h>
#include <net/neighbour.h>

#include "t110.h"
#include "toe.h"

/* Returns the entry of an address, written if it is new; -ENOSPC if the table is full; -ENOMEM. */
int toe_station_get(struct t110 *chip, const u8 *address)
{
	struct toe *toe = &chip->toe;
	int i;

	spin_lock_bh(&toe->lock);
	for (i = 0; i < TOE_STATIONS && toe->stations[i].used; i++)
		if (ether_addr_equal(toe->stations[i].address, address))
			break;
	if (i == TOE_STATIONS) {
		i = -ENOSPC;
	} else if (!toe->stations[i].used) {
		ether_addr_copy(toe->stations[i].address, address);
		toe->stations[i].used = toe_send_station(chip, i, address);
		if (!toe->stations[i].used)
			i = -ENOMEM;
	}
	spin_unlock_bh(&toe->lock);
	return i;
}

/*
 * Returns the entry of a route's next station. -EAGAIN: its address is not known yet. Then the
 * kernel asks for it.
 */
int toe_station_resolve(struct t110 *chip, struct dst_entry *dst, __be32 peer)
{
	struct neighbour *neighbour = dst_neigh_lookup(dst, &peer);
	u8 address[ETH_ALEN];
	int station;

	if (!neighbour)
		return -ENOMEM;
	if (READ_ONCE(neighbour->nud_state) & NUD_VALID) {
		neigh_ha_snapshot(address, neighbour, chip->netdev);
		station = toe_station_get(chip, address);
	} else {
		neigh_event_send(neighbour, NULL);
		station = -EAGAIN;
	}
	neigh_release(neighbour);
	return station;
}
