/** What a form cannot make anything of, before the server is asked; the message is for whoever typed it. */
export class Mistyped extends Error {}
