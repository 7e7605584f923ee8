interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor?: string
}

/** Reads all pages of a list. */
export const readAllPages = async <Row>(
  readPage: (cursor: { readonly cursor?: string }) => Promise<Page<Row>>
): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  let page = await readPage({})
  rows.push(...page.data)
  while (page.next_cursor !== undefined) {
    page = await readPage({ cursor: page.next_cursor })
    rows.push(...page.data)
  }
  return rows
}
