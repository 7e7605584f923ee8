// Improves what works without it: a choice on the picker changes the picker, and not the page.
export {}
