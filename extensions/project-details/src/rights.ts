import type { Project } from '@pult/sdk/api'

/** The owner, the owner of its organisation and root may edit a project (DEC-14). */
export const mayEdit = ({ access }: Project): boolean => access !== 'grant'

/** An organisation's owner may not manage a project's grants. */
export const managesPeople = ({ access }: Project): boolean => access === 'owner' || access === 'root'
