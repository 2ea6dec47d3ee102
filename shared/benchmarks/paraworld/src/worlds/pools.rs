//! What built worlds are about: six domains with invented names, in English and Chinese. Data only.

use super::names::{Both, both};

/// A whole number that every entity of a domain has in every year.
#[derive(Debug)]
pub(in super::super) struct Attribute {
    /// How test data call it.
    #[allow(dead_code, reason = "tests join phrasings by it")]
    pub id: &'static str,
    pub name: Both,
    /// The unit after a number (English: plural).
    pub unit: Both,
    /// What one of it is called: `a point per …`, `每…`.
    pub one: Both,
    /// Least and greatest value.
    pub domain: (i64, i64),
    /// Other names, separated by `|`.
    pub aliases: Both,
}

/// A domain.
#[derive(Debug)]
pub(in super::super) struct Domain {
    /// How test data call it.
    #[allow(dead_code, reason = "tests join phrasings by it")]
    pub id: &'static str,
    /// The category of its worlds; in English in both languages, as in the published set.
    pub category: &'static str,
    /// What its entities are called (English: plural).
    pub noun: Both,
    /// What one of them is called (Chinese: with its measure word in front of `这两`).
    pub one: Both,
    /// Second parts of names.
    pub suffixes: [Both; 6],
    pub attributes: [Attribute; 3],
    /// Positions of the attributes that are divided by each other.
    pub ratio: (usize, usize),
    /// Positions of the attributes that an index counts.
    pub rated: (usize, usize),
    /// How one entity leads to another.
    pub relation: Both,
    pub relation_aliases: Both,
}

pub(in super::super) static DOMAINS: [Domain; 6] = [
    Domain {
        id: "band",
        category: "Band",
        noun: both("bands", "乐队"),
        one: both("band", "支乐队"),
        suffixes: [
            both("Sun", "乐队"),
            both("Choir", "合唱团"),
            both("Quartet", "四重奏"),
            both("Lanterns", "乐团"),
            both("Engines", "组合"),
            both("Harbour", "乐社"),
        ],
        attributes: [
            Attribute {
                id: "concerts",
                name: both("concerts played", "演出场次"),
                unit: both("concerts", "场"),
                one: both("concert", "场演出"),
                domain: (40, 220),
                aliases: both(
                    "concerts|concert|shows|live shows|gigs",
                    "演出|演唱会|演出数量|演出场数|音乐会",
                ),
            },
            Attribute {
                id: "tickets",
                name: both("tickets sold", "门票销量"),
                unit: both("tickets", "张"),
                one: both("ticket", "张门票"),
                domain: (110_000, 980_000),
                aliases: both("tickets|ticket sales|ticket", "门票|售票|票房|门票数|卖票|售出门票"),
            },
            Attribute {
                id: "songs",
                name: both("songs released", "歌曲发布数"),
                unit: both("songs", "首"),
                one: both("song", "首歌曲"),
                domain: (10, 90),
                aliases: both("songs|song|tracks|new songs|singles", "歌曲|新歌|单曲|发布歌曲|歌"),
            },
        ],
        ratio: (1, 0),
        rated: (0, 2),
        relation: both("tour partner", "巡演搭档"),
        relation_aliases: both(
            "touring partner|toured with|partner on tour|tour with|tour companion",
            "搭档|巡演伙伴|巡演|一起巡演|搭档巡演|同台",
        ),
    },
    Domain {
        id: "club",
        category: "Football Club",
        noun: both("football clubs", "足球俱乐部"),
        one: both("football club", "家足球俱乐部"),
        suffixes: [
            both("Athletic", "竞技"),
            both("United", "联队"),
            both("Rovers", "流浪者"),
            both("Town", "城队"),
            both("Wanderers", "漫步者"),
            both("Albion", "足球会"),
        ],
        attributes: [
            Attribute {
                id: "goals",
                name: both("goals scored", "进球数"),
                unit: both("goals", "球"),
                one: both("goal", "个进球"),
                domain: (41, 160),
                aliases: both(
                    "goals|goal|goal tally|scored",
                    "进球|总进球|打进|进了|入球|进球总数",
                ),
            },
            Attribute {
                id: "matches",
                name: both("matches played", "比赛场次"),
                unit: both("matches", "场"),
                one: both("match", "场比赛"),
                domain: (34, 75),
                aliases: both(
                    "matches|match|games|games played|fixtures",
                    "比赛|场次|比赛数量|出赛|出赛场数|参赛",
                ),
            },
            Attribute {
                id: "spectators",
                name: both("spectators at matches", "现场观众人数"),
                unit: both("spectators", "人"),
                one: both("spectator", "名观众"),
                domain: (400_000, 2_900_000),
                aliases: both(
                    "spectators|spectator|attendance|fans|attended|crowd",
                    "观众|观众人数|上座|上座人数|到场|现场观众|入场人数",
                ),
            },
        ],
        ratio: (2, 1),
        rated: (0, 1),
        relation: both("training partner", "合练伙伴"),
        relation_aliases: both(
            "training camp partner|trained with|train with|partner in training",
            "合练|合练对象|一起训练|训练伙伴|共同训练",
        ),
    },
    Domain {
        id: "studio",
        category: "Game Studio",
        noun: both("game studios", "游戏工作室"),
        one: both("game studio", "家游戏工作室"),
        suffixes: [
            both("Games", "游戏"),
            both("Works", "工坊"),
            both("Interactive", "互动"),
            both("Playhouse", "剧场"),
            both("Forge", "工作室"),
            both("Arcade", "娱乐"),
        ],
        attributes: [
            Attribute {
                id: "copies",
                name: both("copies sold", "游戏销量"),
                unit: both("copies", "份"),
                one: both("copy", "份游戏"),
                domain: (120_000, 4_800_000),
                aliases: both(
                    "copies|copy|units sold|game sales|games sold|sales",
                    "销量|售出|卖出|销售量|份数|游戏份数",
                ),
            },
            Attribute {
                id: "staff",
                name: both("employees", "员工人数"),
                unit: both("employees", "人"),
                one: both("employee", "名员工"),
                domain: (85, 940),
                aliases: both(
                    "employee|staff|headcount|workforce|staff size|people employed",
                    "员工|职工|团队规模|雇员|员工数|人员规模",
                ),
            },
            Attribute {
                id: "updates",
                name: both("updates released", "更新次数"),
                unit: both("updates", "次"),
                one: both("update", "次更新"),
                domain: (12, 140),
                aliases: both(
                    "updates|update|game updates|patches|patch",
                    "更新|补丁|补丁数|更新数|版本更新",
                ),
            },
        ],
        ratio: (0, 1),
        rated: (1, 2),
        relation: both("co-development partner", "联合开发伙伴"),
        relation_aliases: both(
            "development partner|developed with|co-developed|co-developer|partner in development",
            "联合开发|合作开发|开发伙伴|共同开发",
        ),
    },
    Domain {
        id: "carmaker",
        category: "Car Brand",
        noun: both("car brands", "汽车品牌"),
        one: both("car brand", "个汽车品牌"),
        suffixes: [
            both("Motors", "汽车"),
            both("Drive", "动力"),
            both("Automotive", "车业"),
            both("Mobil", "出行"),
            both("Axle", "车辆"),
            both("Coachworks", "车坊"),
        ],
        attributes: [
            Attribute {
                id: "deliveries",
                name: both("cars delivered", "汽车交付量"),
                unit: both("cars", "辆"),
                one: both("car", "辆汽车"),
                domain: (21_000, 890_000),
                aliases: both(
                    "cars|car deliveries|deliveries|vehicles|vehicle deliveries|delivered",
                    "交付量|交付|交车|汽车交付|交付数",
                ),
            },
            Attribute {
                id: "stations",
                name: both("charging stations opened", "新建充电站数"),
                unit: both("stations", "座"),
                one: both("charging station", "座充电站"),
                domain: (61, 940),
                aliases: both(
                    "charging stations|chargers|charging points|charging station",
                    "充电站|充电站数量|新增充电站|充电桩",
                ),
            },
            Attribute {
                id: "showrooms",
                name: both("showrooms", "展厅数"),
                unit: both("showrooms", "家"),
                one: both("showroom", "家展厅"),
                domain: (45, 690),
                aliases: both(
                    "showroom|dealerships|dealers|sales rooms",
                    "展厅|展厅数量|门店展厅|门店|经销店",
                ),
            },
        ],
        ratio: (0, 2),
        rated: (1, 2),
        relation: both("battery partner", "电池合作伙伴"),
        relation_aliases: both(
            "partner for batteries|develop batteries|developed batteries|batteries|battery alliance",
            "电池合作|合作电池|电池伙伴|电池|合作研发电池",
        ),
    },
    Domain {
        id: "phone",
        category: "Phone Brand",
        noun: both("phone brands", "手机品牌"),
        one: both("phone brand", "个手机品牌"),
        suffixes: [
            both("Mobile", "手机"),
            both("Telecom", "通讯"),
            both("Devices", "数码"),
            both("Handsets", "终端"),
            both("Signal", "讯号"),
            both("Electronics", "电子"),
        ],
        attributes: [
            Attribute {
                id: "shipments",
                name: both("phones shipped", "手机出货量"),
                unit: both("phones", "部"),
                one: both("phone", "部手机"),
                domain: (130_000, 8_900_000),
                aliases: both(
                    "phones|phone shipments|shipments|smartphones|smartphone shipments|shipped",
                    "出货量|出货|手机销量|卖出手机|出货数|部手机",
                ),
            },
            Attribute {
                id: "stores",
                name: both("stores", "门店数"),
                unit: both("stores", "家"),
                one: both("store", "家门店"),
                domain: (62, 930),
                aliases: both(
                    "store|shops|retail shops|retail stores|outlets",
                    "门店|店铺|店铺数|门店数量|商店|零售店",
                ),
            },
            Attribute {
                id: "patents",
                name: both("patents granted", "专利授权数"),
                unit: both("patents", "项"),
                one: both("patent", "项专利"),
                domain: (81, 960),
                aliases: both(
                    "patents|patent|patent grants",
                    "专利|专利数|授权专利|专利数量|获得专利",
                ),
            },
        ],
        ratio: (0, 1),
        rated: (1, 2),
        relation: both("camera partner", "影像合作伙伴"),
        relation_aliases: both(
            "partner for cameras|cameras|camera alliance|imaging partner",
            "影像合作|合作影像|影像伙伴|影像|相机合作",
        ),
    },
    Domain {
        id: "racing",
        category: "Racing Team",
        noun: both("racing teams", "赛车队"),
        one: both("racing team", "支赛车队"),
        suffixes: [
            both("Racing", "车队"),
            both("Grand Prix", "赛车"),
            both("Motorsport", "竞速"),
            both("Speedworks", "极速"),
            both("Apex", "弯道"),
            both("Pitlane", "赛道"),
        ],
        attributes: [
            Attribute {
                id: "laps",
                name: both("laps led", "领跑圈数"),
                unit: both("laps", "圈"),
                one: both("lap led", "圈领跑"),
                domain: (62, 890),
                aliases: both(
                    "laps|lap|leading laps|laps in the lead|laps in front",
                    "领跑|领先圈数|圈数|圈|领先",
                ),
            },
            Attribute {
                id: "days",
                name: both("test days", "测试天数"),
                unit: both("days", "天"),
                one: both("test day", "个测试日"),
                domain: (21, 120),
                aliases: both(
                    "test day|testing days|days of testing|days tested",
                    "测试日|天测试|测试几天|测试多少天|测试了多少天|测试日数量",
                ),
            },
            Attribute {
                id: "distance",
                name: both("test kilometres driven", "测试里程"),
                unit: both("kilometres", "公里"),
                one: both("kilometre", "公里"),
                domain: (3_100, 38_000),
                aliases: both(
                    "kilometres|kilometers|test kilometres|mileage|testing distance|test distance|km",
                    "里程|公里|公里数|测试公里|测试距离|试车里程",
                ),
            },
        ],
        ratio: (2, 1),
        rated: (0, 1),
        relation: both("technical partner", "技术伙伴"),
        relation_aliases: both(
            "technology partner|technical help|technical support|technical partnership",
            "技术合作|技术支持|技术合作伙伴|技术援助",
        ),
    },
];
