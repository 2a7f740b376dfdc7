-- What the crawl brought in. Ids are dense and belong to one snapshot only.
create table repos (
    id integer primary key,
    name text not null unique,          -- owner/name
    source text not null,
    url text,                           -- null for a local repository
    head text,
    depth text not null,
    crawled_at timestamp
);
create table commits (
    id integer primary key,             -- 0..n-1
    repo_id integer not null,
    sha text not null,
    authored_at timestamp not null,     -- UTC
    authored_zone smallint not null,    -- minutes east of UTC
    committed_at timestamp not null,
    committed_zone smallint not null,
    subject text not null,
    body text not null,
    pull integer,
    reverts text,
    parents integer not null,           -- how many; more than one is a merge
    files integer not null,             -- how many paths it changed
    added integer,                      -- null: unknown
    deleted integer
);
create table paths (
    id integer primary key,
    repo_id integer not null,
    path text not null,
    current text                        -- its name at the head, renames followed; null: gone
);
create table changes (
    commit_id integer not null,
    path_id integer not null,
    old_path_id integer,
    status text not null,
    added integer,
    deleted integer,
    is_binary boolean not null,
    functions text[],
    identifiers text[]
);
create table signatures (
    id integer primary key,
    name text not null,
    email text not null,
    key text not null unique            -- keyed hash of name and email: safe to show
);
create table roles (
    commit_id integer not null,
    signature_id integer not null,
    role text not null                  -- author, co-author, signer, reviewer
);
create table reviews_fetched (          -- a repository without a row: nobody asked for its reviews
    repo_id integer primary key,
    pulls integer not null              -- pull requests that were looked at
);
