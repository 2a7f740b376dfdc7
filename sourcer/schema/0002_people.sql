-- Who is who. Bots and agents have signatures but are never people.
create table people (
    id text primary key,
    ordinal integer not null unique,    -- 0..n-1, of one snapshot only
    name text not null
);
create table person_signatures (
    signature_id integer primary key,
    person_id text not null,
    rule text not null,                 -- why this signature is this person
    via_signature_id integer            -- the signature that the rule linked it to
);
create table machine_signatures (
    signature_id integer primary key,
    kind text not null                  -- bot, agent, nobody; withheld: asked not to be found
);
create table logins (
    person_id text not null,
    login text not null,
    github_id bigint,
    rule text not null
);
-- What projects' pages say of whose a login is.
create table introductions (
    repo_id integer not null,
    login text not null,
    name text not null,                 -- empty: none
    sha text not null                   -- the beginning of a commit's; empty: none
);
create table redirects (
    old_id text primary key,
    person_id text not null
);
-- GitHub accounts that GitHub itself says commits or reviews are by.
create table accounts (
    signature_id integer primary key,   -- what stands for the account: its noreply address
    github_id bigint not null unique,
    login text not null,
    first_at timestamp not null,
    last_at timestamp not null
);
create table account_signatures (
    account_signature_id integer not null,
    signature_id integer not null,      -- a signature of commits that GitHub says are by it
    commits integer not null
);
