import { type Credentials, defaultConsoleColor, type Project, type StoredFile } from '@pult/contract'

/** Ids of records that a test does not name. */
export const givenId = (number: number): string =>
  `0193a3f0-0000-7000-8000-${String(number).padStart(12, '0')}`
const personId = givenId(1)
const projectId = givenId(2)
export const longAgo = '2026-01-31T09:12:04.120Z'

/** Creates a signed-in user who is not root. */
export function givenCredentials(facts: Partial<Credentials> = {}): Credentials {
  return {
    _id: personId,
    scope: [],
    email: 'ada@example.org',
    firstname: 'Ada',
    lastname: 'Lovelace',
    otpEnabled: false,
    isRoot: false,
    ...facts,
  }
}

/** Creates a private project of another user. */
export function givenProject(facts: Partial<Project> = {}): Project {
  return {
    _id: projectId,
    label: 'Harbour Lights',
    org: null,
    orgLabel: null,
    owner: givenId(3),
    ownerName: 'Grace Hopper',
    products: [],
    grants: [],
    meta: { customer: '', projectId: '' },
    config: { consoleColor: defaultConsoleColor },
    access: 'grant',
    isDefault: true,
    createdAt: longAgo,
    revision: 1,
    updatedAt: longAgo,
    updatedBy: null,
    ...facts,
  }
}

/** Creates the server's description of an uploaded file. */
export function givenFile({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): StoredFile {
  return {
    _id: givenId(5),
    filename: '0193a3f000007000800000000000000f',
    name,
    contentType: type,
    size,
    createdAt: longAgo,
    expiresAt: null,
  }
}
