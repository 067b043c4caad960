/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file as plain data: sections, symbols, relocations, and what it says of its making.
 *
 * 32 and 64 bit, both byte orders, any machine. Everything that a file says is checked against its
 * own size, and nothing takes more memory than a small multiple of that. In a relocatable object,
 * whose sections all begin at 0, each section is given a place of its own, so that an address
 * always means one byte.
 */
#ifndef ABSTAT_ELF_FILE_H
#define ABSTAT_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The machines whose instructions are understood. */
enum elf_code { ELF_CODE_NONE, ELF_CODE_X86_64, ELF_CODE_X86_32, ELF_CODE_ARM64 };

/* No symbol, no section. */
#define ELF_NONE UINT32_MAX

/* A symbol as a relocation names it. */
struct elf_target {
	const char *name;
	uint64_t address; /* where it is defined */
	bool defined;
	bool named; /* by itself, and not as a part of its section */
};

struct elf_relocation {
	uint64_t address; /* of the field */
	int64_t addend;   /* 0 where the field itself holds it */
	uint32_t type;
	const struct elf_target *target; /* NULL: an address without a symbol */
	bool in_place;                   /* the addend is in the field */
};

struct elf_section {
	const char *name;
	uint32_t type;
	uint64_t flags, address, size, align;
	const uint8_t
	    *data; /* SIZE bytes; NULL: has none in the file, or they are not loaded at run time */
};

struct elf_symbol {
	const char *name; /* the one of its names that matters */
	const char *file; /* the source file of a local name, where the file tells it; or NULL */
	uint64_t start, size; /* what it covers and no symbol before it does */
	uint32_t section;
	uint32_t first_name, n_names; /* all of its names, in elf_file.names */
	bool code;                    /* instructions */
	bool local;                   /* to its source file */
	bool tls;
};

/* A name without a size, where something begins or ends. */
struct elf_label {
	uint64_t address;
	const char *name;
};

struct elf_facts {
	char *build_id;    /* hexadecimal, or NULL */
	char *interpreter; /* or NULL */
	char **compilers;  /* what .comment says, each once */
	size_t n_compilers;
	char **
	    flags; /* what -frecord-gcc-switches or the debugging information recorded, each once */
	size_t n_flags;
	char **needed;
	size_t n_needed;
	char *debug_link; /* the name of the file that holds its debugging information, or NULL */
};

struct elf_file {
	const char *path; /* borrowed */
	uint64_t file_size;
	Elf *elf;
	int fd;
	unsigned bits; /* 32 or 64 */
	bool big_endian;
	uint16_t machine, type; /* EM_..., ET_... */
	enum elf_code code;
	struct elf_section *sections; /* as numbered in the file; 0 is none */
	size_t n_sections;
	uint32_t *by_address; /* sections that take room when loaded, ascending */
	size_t n_by_address;
	bool has_symbols; /* a full symbol table, not only what the dynamic linker needs */
	struct elf_symbol *symbols;    /* ascending by start; those of thread-local storage last */
	size_t n_symbols, n_addressed; /* all, and those before the thread-local ones */
	struct elf_label *labels;      /* ascending by address */
	size_t n_labels;
	const char **names;
	size_t n_names;
	struct elf_target *targets; /* of relocations */
	size_t n_targets;
	struct elf_relocation *relocations; /* ascending by address */
	size_t n_relocations;
	uint64_t *referenced; /* addresses of data that something refers to, ascending */
	size_t n_referenced;
	uint64_t thread_pointer; /* where it would point to, in the file's addresses, if threads had
				    their storage there; 0: they have none */
	uint64_t offset_table;   /* from which position-independent code of i386 counts; 0: none */
	struct elf_facts facts;
};

/* Reads the file PATH, or the open FD, of which PATH is the name. NULL with a message in ERR. */
struct elf_file *elf_file_open(const char *path, char *err, size_t err_size);
struct elf_file *elf_file_read(int fd, const char *path, char *err, size_t err_size);
void elf_file_free(struct elf_file *f);

/*
 * The same of PATH without symbols, relocations and what it says of its making: of the facts there
 * are the build-id, the interpreter, the needed libraries and the debug link.
 */
struct elf_file *elf_file_open_plain(const char *path, char *err, size_t err_size);

/*
 * Fills in symbols and names: of the full table, or, if DYNAMIC or where there is none, of the
 * dynamic one. May be called again.
 */
int elf_file_read_symbols(struct elf_file *f, bool dynamic);

/* The section or symbol that covers ADDRESS, or ELF_NONE. */
uint32_t elf_section_at(const struct elf_file *f, uint64_t address);
uint32_t elf_symbol_at(const struct elf_file *f, uint64_t address);
/* The same of thread-local symbols, at the addresses that they have in the file. */
uint32_t elf_tls_symbol_at(const struct elf_file *f, uint64_t address);
/* The last symbol that begins at or before ADDRESS, whether it covers it or not, or ELF_NONE. */
uint32_t elf_symbol_before(const struct elf_file *f, uint64_t address);

/* The index of the first label at or after ADDRESS. */
size_t elf_label_from(const struct elf_file *f, uint64_t address);

/* The relocation whose field begins in [ADDRESS, ADDRESS + SIZE), or NULL. */
const struct elf_relocation *elf_relocation_in(const struct elf_file *f, uint64_t address,
					       uint64_t size);

/* What is added to R's target, and the address that this makes. */
int64_t elf_relocation_addend(const struct elf_file *f, const struct elf_relocation *r);
uint64_t elf_relocation_place(const struct elf_file *f, const struct elf_relocation *r);

/*
 * The bytes from ADDRESS to what something else refers to, or to the next symbol: as much as
 * belongs together there, at most. Needs elf_file_read_extents(), which is 0 or -ENOMEM.
 */
uint64_t elf_extent(const struct elf_file *f, uint64_t address);
int elf_file_read_extents(struct elf_file *f);

/* What is loaded at ADDRESS, and how many bytes of it there are; NULL: nothing that the file holds.
 */
const uint8_t *elf_bytes_at(const struct elf_file *f, uint64_t address, uint64_t *size);

/* A number of SIZE (1, 2, 4 or 8) bytes in the file's byte order. */
uint64_t elf_number(const struct elf_file *f, const uint8_t *p, unsigned size);

/* "x86-64", "arm64", ..., or NULL where it has no name here. */
const char *elf_machine_name(uint16_t machine);

/* For the parts of this reader. */
int elf_file_read_relocations(struct elf_file *f);
int elf_file_read_facts(struct elf_file *f);
int elf_file_read_links(struct elf_file *f);
void elf_facts_release(struct elf_facts *facts);

#endif
