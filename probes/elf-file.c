/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens an ELF file: header and sections. */
#include "elf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between the sections of an object file, so that no address is at the end of one and in another.
 */
#define SECTION_GAP ((uint64_t)4096)

/* What arm64 has between the thread's pointer and its storage. */
enum { THREAD_HEADER = 16 };

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
    {EM_386, "i386"},        {EM_68K, "m68k"},
    {EM_AARCH64, "arm64"},   {EM_ALPHA, "alpha"},
    {EM_ARM, "arm"},         {EM_BPF, "bpf"},
    {EM_IA_64, "ia64"},      {EM_LOONGARCH, "loongarch"},
    {EM_MIPS, "mips"},       {EM_PARISC, "parisc"},
    {EM_PPC, "powerpc"},     {EM_PPC64, "powerpc64"},
    {EM_RISCV, "riscv"},     {EM_S390, "s390"},
    {EM_SH, "sh"},           {EM_SPARC, "sparc"},
    {EM_SPARCV9, "sparc64"}, {EM_X86_64, "x86-64"},
};

const char *elf_machine_name(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return NULL;
}

static enum elf_code code_of(const struct elf_file *f)
{
	if (f->machine == EM_X86_64)
		return ELF_CODE_X86_64;
	if (f->machine == EM_386)
		return ELF_CODE_X86_32;
	if (f->machine == EM_AARCH64 && !f->big_endian && f->bits == 64)
		return ELF_CODE_ARM64;
	return ELF_CODE_NONE;
}

static int damaged(const char *path, const char *what, char *err, size_t err_size)
{
	snprintf(err, err_size, "%s: the ELF file is damaged or truncated: %s", path, what);
	return -EINVAL;
}

static int read_header(struct elf_file *f, char *err, size_t err_size)
{
	GElf_Ehdr header;

	if (elf_kind(f->elf) == ELF_K_AR) {
		snprintf(err, err_size, "%s: an archive holds many objects: extract one by 'ar x'",
			 f->path);
		return -EINVAL;
	}
	if (elf_kind(f->elf) != ELF_K_ELF) {
		snprintf(err, err_size, "%s: not an ELF file", f->path);
		return -ENOEXEC;
	}
	if (!gelf_getehdr(f->elf, &header))
		return damaged(f->path, elf_errmsg(-1), err, err_size);
	if (header.e_type == ET_CORE) {
		snprintf(err, err_size, "%s: a core dump, not a program", f->path);
		return -EINVAL;
	}
	f->bits = header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
	f->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	f->machine = header.e_machine;
	f->type = header.e_type;
	f->code = code_of(f);
	if (elf_getshdrnum(f->elf, &f->n_sections))
		return damaged(f->path, elf_errmsg(-1), err, err_size);
	if (f->n_sections < 2) {
		snprintf(err, err_size,
			 header.e_shoff
			     ? "%s: the ELF file is damaged or truncated: its section headers are "
			       "missing"
			     : "%s: has no section headers, so that nothing is known of its parts",
			 f->path);
		return -EINVAL;
	}
	if (f->n_sections > f->file_size / 40)
		return damaged(f->path, "more section headers than fit in the file", err, err_size);
	return 0;
}

static bool holds_bytes(const struct elf_section *s)
{
	return s->type != SHT_NOBITS && s->type != SHT_NULL;
}

/* *BUDGET: how much may still be read: sections of a sound file do not overlap. */
static int read_section(struct elf_file *f, size_t i, size_t names, uint64_t *budget, char *err,
			size_t err_size)
{
	struct elf_section *s = &f->sections[i];
	Elf_Scn *scn = elf_getscn(f->elf, i);
	GElf_Shdr header;
	Elf_Data *data;

	if (!scn || !gelf_getshdr(scn, &header))
		return damaged(f->path, elf_errmsg(-1), err, err_size);
	*s = (struct elf_section){
	    .name = elf_strptr(f->elf, names, header.sh_name),
	    .type = header.sh_type,
	    .flags = header.sh_flags,
	    .address = header.sh_addr,
	    .size = header.sh_size,
	    .align = header.sh_addralign,
	};
	if (!s->name)
		s->name = "";
	f->has_symbols |= s->type == SHT_SYMTAB;
	if (holds_bytes(s) &&
	    (header.sh_offset > f->file_size || s->size > f->file_size - header.sh_offset))
		return damaged(f->path, "a section reaches beyond its end", err, err_size);
	if (!(s->flags & SHF_ALLOC) || !s->size)
		return 0;
	if (s->address + s->size < s->address || s->size > (uint64_t)1 << 48)
		return damaged(f->path, "a section reaches beyond the end of memory", err,
			       err_size);
	if (!holds_bytes(s))
		return 0;
	if (s->size > *budget)
		return damaged(f->path, "its sections overlap", err, err_size);
	*budget -= s->size;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size < s->size)
		return damaged(f->path, "a section cannot be read", err, err_size);
	s->data = data->d_buf;
	return 0;
}

/* Thread-local storage without contents has addresses of its own, which others use. */
static bool has_address(const struct elf_section *s)
{
	return (s->flags & SHF_ALLOC) && s->size &&
	       !((s->flags & SHF_TLS) && s->type == SHT_NOBITS);
}

static int compare_address(const void *a, const void *b, void *context)
{
	const struct elf_section *sections = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (sections[i].address != sections[j].address)
		return sections[i].address < sections[j].address ? -1 : 1;
	return i < j ? -1 : i > j;
}

static int place_sections(struct elf_file *f)
{
	uint64_t next = SECTION_GAP;

	f->by_address = calloc(f->n_sections, sizeof(*f->by_address));
	if (!f->by_address)
		return -ENOMEM;
	for (size_t i = 1; i < f->n_sections; i++) {
		struct elf_section *s = &f->sections[i];

		if (f->type == ET_REL && (s->flags & SHF_ALLOC)) {
			/* Round, so that every alignment up to that of a page is kept. */
			s->address = next;
			next += (s->size + 2 * SECTION_GAP - 1) / SECTION_GAP * SECTION_GAP;
		}
		if (has_address(s))
			f->by_address[f->n_by_address++] = (uint32_t)i;
	}
	qsort_r(f->by_address, f->n_by_address, sizeof(*f->by_address), compare_address,
		f->sections);
	return 0;
}

static void find_offset_table(struct elf_file *f)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if (!strcmp(f->sections[i].name, ".got.plt") ||
		    (!f->offset_table && !strcmp(f->sections[i].name, ".got")))
			f->offset_table = f->sections[i].address;
}

static int read_sections(struct elf_file *f, char *err, size_t err_size)
{
	uint64_t budget = f->file_size;
	size_t names;
	int r = 0;

	f->sections = calloc(f->n_sections, sizeof(*f->sections));
	if (!f->sections)
		return -ENOMEM;
	if (elf_getshdrstrndx(f->elf, &names))
		return damaged(f->path, "its sections have no names", err, err_size);
	for (size_t i = 1; i < f->n_sections && !r; i++)
		r = read_section(f, i, names, &budget, err, err_size);
	return r ? r : place_sections(f);
}

static void read_tls(struct elf_file *f)
{
	size_t n = 0;
	GElf_Phdr header;

	if (f->type == ET_REL || elf_getphdrnum(f->elf, &n))
		return;
	for (size_t i = 0; i < n && i < UINT16_MAX; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &header) || header.p_type != PT_TLS)
			continue;
		uint64_t align = header.p_align ? header.p_align : 1;

		if (f->machine == EM_AARCH64)
			f->thread_pointer =
			    header.p_vaddr - (THREAD_HEADER + align - 1) / align * align;
		else
			f->thread_pointer =
			    header.p_vaddr + (header.p_memsz + align - 1) / align * align;
		return;
	}
}

static int read_parts(struct elf_file *f, char *err, size_t err_size)
{
	struct stat st;

	if (fstat(f->fd, &st)) {
		snprintf(err, err_size, "%s: %s", f->path, strerror(errno));
		return -errno;
	}
	if (!S_ISREG(st.st_mode)) {
		snprintf(err, err_size, "%s: not a file", f->path);
		return -EINVAL;
	}
	f->file_size = (uint64_t)st.st_size;
	elf_version(EV_CURRENT);
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (!f->elf) {
		snprintf(err, err_size, "%s: cannot be read: %s", f->path, elf_errmsg(-1));
		return -EIO;
	}
	int r = read_header(f, err, err_size);

	if (!r)
		r = read_sections(f, err, err_size);
	if (!r) {
		find_offset_table(f);
		read_tls(f);
	}
	return r;
}

static int read_plain(struct elf_file *f, char *err, size_t err_size)
{
	int r = read_parts(f, err, err_size);

	return r ? r : elf_file_read_links(f);
}

static int read_all(struct elf_file *f, char *err, size_t err_size)
{
	int r = read_parts(f, err, err_size);

	if (!r)
		r = elf_file_read_symbols(f, false);
	if (!r)
		r = elf_file_read_relocations(f);
	if (!r)
		r = elf_file_read_facts(f);
	return r;
}

typedef int reader(struct elf_file *f, char *err, size_t err_size);

static struct elf_file *read_file(reader *read, int fd, const char *path, char *err,
				  size_t err_size)
{
	struct elf_file *f = calloc(1, sizeof(*f));

	*err = '\0';
	if (f) {
		f->path = path;
		f->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		int r = read(f, err, err_size);

		if (!r)
			return f;
		if (!*err && r != -ENOMEM)
			damaged(path, "its symbols or relocations make no sense", err, err_size);
	}
	if (!*err)
		snprintf(err, err_size, "%s: out of memory", path);
	elf_file_free(f);
	return NULL;
}

static struct elf_file *open_file(reader *read, const char *path, char *err, size_t err_size)
{
	/* A FIFO must not hang it. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		snprintf(err, err_size, "%s: %s", path, strerror(errno));
		return NULL;
	}
	struct elf_file *f = read_file(read, fd, path, err, err_size);

	close(fd);
	return f;
}

struct elf_file *elf_file_read(int fd, const char *path, char *err, size_t err_size)
{
	return read_file(read_all, fd, path, err, err_size);
}

struct elf_file *elf_file_open(const char *path, char *err, size_t err_size)
{
	return open_file(read_all, path, err, err_size);
}

struct elf_file *elf_file_open_plain(const char *path, char *err, size_t err_size)
{
	return open_file(read_plain, path, err, err_size);
}

void elf_file_free(struct elf_file *f)
{
	if (!f)
		return;
	elf_facts_release(&f->facts);
	free(f->referenced);
	free(f->relocations);
	free(f->targets);
	free(f->labels);
	free(f->names);
	free(f->symbols);
	free(f->by_address);
	free(f->sections);
	if (f->elf)
		elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

uint32_t elf_section_at(const struct elf_file *f, uint64_t address)
{
	size_t low = 0, high = f->n_by_address;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->sections[f->by_address[middle]].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return ELF_NONE;
	const struct elf_section *s = &f->sections[f->by_address[low - 1]];

	return address - s->address < s->size ? f->by_address[low - 1] : ELF_NONE;
}

const uint8_t *elf_bytes_at(const struct elf_file *f, uint64_t address, uint64_t *size)
{
	uint32_t i = elf_section_at(f, address);
	const struct elf_section *s = &f->sections[i == ELF_NONE ? 0 : i];

	if (i == ELF_NONE || !s->data)
		return NULL;
	*size = s->size - (address - s->address);
	return s->data + (address - s->address);
}

uint64_t elf_number(const struct elf_file *f, const uint8_t *p, unsigned size)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < size; i++)
		n = n << 8 | p[f->big_endian ? i : size - 1 - i];
	return n;
}
