/** The full stop and the characters that browsers accept in its place. */
const dots = '.\u3002\uff0e\uff61\u2024\ufe52'

/** Places inside of a token that a mail program would turn into a link. */
const links = [
  // A scheme: `https://x`, `mailto:x`.
  /(?<=[a-z][a-z0-9+.-]*):(?=\S)/giu,
  // An address.
  /(?<=\S)[@\uff20\ufe6b](?=\S)/gu,
  // A host name: a dot before a letter, because no top-level domain begins with a digit.
  new RegExp(`(?<=\\S)[${dots}](?=[^\\s\\d\\p{P}])`, 'gu'),
  new RegExp(`(?<=www)[${dots}](?=\\S)`, 'giu'),
  // An IP address without a scheme.
  /(?<=\d\.\d{1,3}\.\d{1,3})\.(?=\d)/gu,
  // A network path: `\\server\share`.
  /\\(?=\\)/gu,
]

/**
 * Returns the text of a user for a letter. A space after each dot, colon or at sign that would make a link keeps mail
 * programs from turning the text into one; other text stays as it is.
 */
export const inert = (text: string): string => links.reduce((made, place) => made.replace(place, '$& '), text)
