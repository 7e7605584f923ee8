/**
 * What guests' pages need: until when guests change their booking by themselves, what the pages look
 * like, what was typed for a booking, and the links that show a guest the rest of their thread.
 */
export const guests: ReadonlyArray<string> = [
  "alter table orgs add column guest_changes_hours integer",
  "alter table orgs add column accent text",
  "alter table orgs add column logo_url text",
  "alter table orgs add column cover_url text",
  "alter table bookings add column contact_email text",
  "alter table bookings add column contact_name text",
  "alter table bookings add column contact_phone text",
  "alter table conversations add column link_digest text",
  "alter table conversations add column link_until integer",
  "alter table conversations add column shown_digest text",
  "alter table conversations add column shown_until integer"
]
