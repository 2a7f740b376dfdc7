create table topics (
    id text primary key,
    ordinal integer not null unique,
    name text not null,
    definition text not null,
    parents text[] not null
);
create table commit_topics (
    commit_id integer not null,
    topic_id text not null,
    matched text[] not null,            -- what in the commit said so: "path: …", "subject: …"
    weight real not null                -- 1: its subject says so; less: the share of its paths
);
create table tagging (
    basis text not null                 -- digest of the taxonomy and the code that tagged
);
