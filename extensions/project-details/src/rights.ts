import type { Project } from '@pult/sdk/api'

/** The owner, the owner of its organisation and root edit a project: DEC-14. */
export const mayEdit = ({ access }: Project): boolean => access !== 'grant'

/** An organisation's owner has no say in who works on a project. */
export const managesPeople = ({ access }: Project): boolean => access === 'owner' || access === 'root'
