/** Whether staff members who are not owners may refund. The default keeps refunds to owners. */
export const staffRefunds = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".orgs add column staff_may_refund boolean not null default false`
]
