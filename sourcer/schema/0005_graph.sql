create table holdings (                 -- roles that a project itself says a person holds
    repo_id integer not null,
    login text not null,
    person_id text,                     -- null: nobody in the history has that login
    role text not null,                 -- code owner, maintainer, committer
    scope text not null,                -- a path pattern or an area's own words
    since timestamp,
    since_sha text,
    until timestamp
);
create table person_topics (
    person_id text not null,
    topic_id text not null,
    commits integer not null,
    first_at timestamp not null,
    last_at timestamp not null
);
create table person_zones (             -- a weak hint: by which clocks the last two years were written
    person_id text not null,
    zone smallint not null,             -- minutes east of UTC, as the author's clock said
    commits integer not null
);
create table collaborations (
    person_a text not null,             -- person_a < person_b
    person_b text not null,
    co_authored integer not null,
    shared_files integer not null,
    reviewed integer not null,          -- commits of the one that the other reviewed
    weight double not null
);
create table centralities (
    person_id text primary key,
    degree integer not null,
    pagerank double not null
);
