"""What recruiters write: saved searches, shortlists, decisions, suppressions, the audit log.

A face opens the workspace once and hands a session to the functions of one module per noun:

    desk = Workspace.open(data, settings.workspace_url)
    with desk.writing() as session:
        slug = shortlists.start(session, actor, "Kernel people").slug
        entries.add(session, actor, slug, person_id, "wrote the fused kernel")

Frozen values go out, never rows. A write that has returned from its `with` block is on disk.
"""

from sourcer.workspace.database import Session, Workspace

__all__ = ["Session", "Workspace"]
