/** Erasing what somebody asked who never booked may take several units of work, too. */
export const questions = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".unfinished
    drop constraint unfinished_subject_check,
    add constraint unfinished_subject_check check (subject in ('offering', 'session', 'customer', 'conversation'))`
]
