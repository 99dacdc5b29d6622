/** Invalid form input, found before the server is called; the message is for the person who typed it. */
export class Mistyped extends Error {}
