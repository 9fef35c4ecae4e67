// SPDX-License-Identifier: GPL-2.0
/*
 * Read-only disks in images that the simulator hands over: /dev/lhda is the guest's root, /dev/lhdb holds the files of a run. A
 * guest reaches no folder of the host through them, and what it reads does not depend on the host's file system. A read takes no
 * simulated time: it stands for a page that is in the cache already.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/init.h>
#include <linux/module.h>
#include <longhaul_os.h>

static const char * const names[LONGHAUL_DISKS] = { "lhda", "lhdb" };

static blk_status_t read_image(const struct longhaul_image *image, struct bio *bio)
{
	unsigned long long at = (unsigned long long)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	struct bvec_iter iter;
	struct bio_vec part;

	if (bio_op(bio) != REQ_OP_READ)
		return BLK_STS_NOTSUPP;
	bio_for_each_segment(part, bio, iter) {
		if (at > image->bytes || part.bv_len > image->bytes - at)
			return BLK_STS_IOERR;
		memcpy_to_bvec(&part, image->start + at);
		at += part.bv_len;
	}
	return BLK_STS_OK;
}

static void submit(struct bio *bio)
{
	bio->bi_status = read_image(bio->bi_bdev->bd_disk->private_data, bio);
	bio_endio(bio);
}

static const struct block_device_operations operations = {
	.owner = THIS_MODULE,
	.submit_bio = submit,
};

static int __init add(const char *name, struct longhaul_image *image)
{
	struct gendisk *disk = blk_alloc_disk(NUMA_NO_NODE);
	int err;

	if (!disk)
		return -ENOMEM;
	strscpy(disk->disk_name, name, sizeof(disk->disk_name));
	disk->fops = &operations;
	disk->private_data = image;
	blk_queue_flag_set(QUEUE_FLAG_NONROT, disk->queue);
	set_capacity(disk, image->bytes >> SECTOR_SHIFT);
	set_disk_ro(disk, true);
	err = add_disk(disk);
	if (err)
		put_disk(disk);
	return err;
}

static int __init longhaul_disk_init(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < LONGHAUL_DISKS && !err; i++) {
		if (longhaul_images[i].bytes)
			err = add(names[i], &longhaul_images[i]);
	}
	return err;
}
device_initcall(longhaul_disk_init);
