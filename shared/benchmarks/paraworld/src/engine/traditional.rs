//! Traditional characters and the simplified ones that stand for them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Pairs, the traditional character first: those of everyday words and of names, one for one. Data only.
const PAIRS: &[&str] = &[
    "丟丢 並并 亞亚 來来 侷局 個个 倫伦 側侧 傑杰 傭佣 傳传 債债 傷伤 僅仅 僑侨 僱雇 價价 億亿 償偿 優优 內内 兩两 冊册 凱凯 別别 則则",
    "創创 劃划 劇剧 劉刘 動动 務务 勝胜 勵励 卻却 參参 吳吴 員员 問问 啟启 喬乔 單单 嗎吗 噹当 國国 圍围 圓圆 圖图 團团 執执 報报 場场",
    "壇坛 夥伙 奧奥 奪夺 娛娱 實实 寫写 專专 尋寻 對对 屬属 島岛 嶼屿 巖岩 師师 幣币 幫帮 幾几 廠厂 廣广 廳厅 張张 強强 彎弯 後后 從从",
    "復复 慣惯 憑凭 憶忆 應应 懶懒 懷怀 戲戏 戶户 換换 擁拥 擋挡 據据 擬拟 攝摄 數数 斷断 於于 時时 暢畅 曆历 書书 會会 東东 條条 楊杨",
    "業业 極极 構构 樁桩 樂乐 樓楼 標标 樣样 橋桥 機机 橫横 檔档 檢检 欄栏 權权 歲岁 歷历 氣气 沒没 沖冲 況况 淨净 減减 測测 湯汤 準准",
    "溫温 滿满 漢汉 潤润 澤泽 灣湾 為为 烏乌 無无 熱热 燈灯 營营 爭争 爲为 爾尔 獎奖 獲获 現现 瑪玛 畫画 異异 當当 發发 眾众 確确 碼码",
    "磚砖 種种 稱称 穀谷 積积 穫获 競竞 筆笔 箇个 節节 篩筛 簡简 簽签 籠笼 紀纪 紅红 納纳 紙纸 細细 紹绍 終终 組组 結结 絕绝 絡络 給给",
    "統统 絲丝 經经 維维 網网 緒绪 線线 編编 練练 緹缇 緻致 縣县 總总 績绩 繞绕 繼继 續续 羅罗 習习 聖圣 聞闻 聯联 聲声 職职 聽听 脈脉",
    "腳脚 臺台 與与 舉举 莊庄 華华 萬万 著着 藍蓝 蘇苏 蘋苹 蘚藓 蘭兰 處处 虛虚 號号 衆众 術术 衝冲 裏里 補补 裡里 複复 見见 規规 親亲",
    "覺觉 觀观 訂订 計计 訊讯 討讨 訓训 記记 設设 許许 註注 証证 評评 詞词 詢询 試试 話话 該该 認认 語语 誤误 說说 誰谁 調调 談谈 請请",
    "論论 諾诺 講讲 謝谢 證证 識识 議议 讀读 變变 讚赞 貓猫 負负 貨货 責责 費费 資资 賣卖 質质 購购 賽赛 贊赞 贏赢 趙赵 車车 軍军 較较",
    "輕轻 輛辆 輪轮 輯辑 輸输 辦办 辭辞 迴回 這这 週周 進进 遊游 運运 過过 達达 違违 適适 遷迁 選选 還还 邊边 鄉乡 銀银 銅铜 銷销 鋪铺",
    "錄录 錢钱 錯错 錶表 鍵键 鎮镇 鏡镜 鐵铁 長长 門门 閉闭 開开 閑闲 間间 閱阅 闆板 關关 陞升 陳陈 陸陆 隊队 隨随 隻只 離离 雲云 電电",
    "靜静 韋韦 響响 頁页 項项 須须 預预 領领 頭头 題题 顏颜 願愿 類类 顧顾 風风 馬马 駁驳 騰腾 體体 髮发 鬆松 魚鱼 魯鲁 鯨鲸 鳥鸟 鷹鹰",
    "鹽盐 麵面 麼么 黃黄 點点 齊齐 齡龄 齣出 龍龙",
];

/// The simplified form of a character, or the character.
pub(super) fn simplified(character: char) -> char {
    static READ: OnceLock<BTreeMap<char, char>> = OnceLock::new();
    if !('\u{4e00}'..='\u{9fff}').contains(&character) {
        return character;
    }
    let read = READ.get_or_init(|| {
        let pairs = PAIRS.iter().flat_map(|line| line.split(' '));
        pairs
            .filter_map(|pair| {
                let mut pair = pair.chars();
                Some((pair.next()?, pair.next()?))
            })
            .collect()
    });
    read.get(&character).copied().unwrap_or(character)
}
